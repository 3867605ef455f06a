import { expect } from 'chai';
import { answerJson, type TestUpstream } from '../../support/upstream.ts';
import { chatError, googleError, messagesError } from '../../matrix/failures/failure-case.ts';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { startTenants, type Tenants } from '../support/tenants.ts';

const errorOf: Readonly<Record<Wire, (message: string) => Json>> = {
  chat: (message) => chatError(message, 'invalid_request_error'),
  messages: (message) => messagesError('invalid_request_error', message),
  responses: (message) => chatError(message, 'invalid_request_error'),
  google: (message) => googleError(400, 'INVALID_ARGUMENT', message),
};

/**
 * Messages of each vendor about the gateway's own account, without a code. A caller puts one into a request, and the
 * vendor quotes it.
 */
const sentences: Readonly<Record<Wire, readonly string[]>> = {
  chat: [
    'exceeded your current quota',
    'You exceeded your current quota, please check your plan and billing details.',
    'Insufficient Balance',
    'The model `gpt-4.1` does not exist.',
  ],
  messages: [
    'credit balance',
    'usage limits',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    'This organization has been disabled.',
    'Request not allowed',
  ],
  responses: [
    'insufficient balance',
    'You exceeded your current quota, please check your plan and billing details.',
    'Incorrect API key provided. You can obtain an API key from https://console.x.ai.',
  ],
  google: [
    'API key expired',
    'enable billing',
    'API key not valid. Please pass a valid API key.',
    'API key expired. Please renew the API key.',
    'User location is not supported for the API use.',
  ],
};

const unicode = (text: string): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Messages of a vendor that quote a caller's text, with and without text around it. */
const wordings: readonly ((text: string) => string)[] = [
  (text) => `Unrecognized request argument supplied: ${text}`,
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `${text} is not a valid value.`,
];

describe('error messages quoted in a request', () => {
  let tenants: Tenants;
  before(async () => {
    tenants = await startTenants();
  });
  after(() => tenants.stop());

  const refuse =
    (wire: Wire, status: number, message: string): TestUpstream['answer'] =>
    (response) =>
      answerJson(response, errorOf[wire](message), status);

  for (const wire of wires) {
    for (const sentence of sentences[wire]) {
      it(`does not harm other projects by a request with "${sentence}" on ${wire}`, async () => {
        for (const wording of wordings) {
          for (const status of [400, 403, 404, 422]) {
            const replies = await tenants.attack(
              wire,
              { more: { [sentence]: sentence } },
              refuse(wire, status, wording(sentence)),
            );
            for (const reply of replies) expect(reply.status, reply.text).to.equal(status);
          }
        }
        await tenants.expectUnharmed(wire);
      });
    }
  }

  it('does not harm other projects if the message is escaped in the request', async () => {
    const sentence = 'Your credit balance is too low to access the Anthropic API.';
    const options = { more: { metadata: { user_id: `{"user":"${unicode(sentence)}"}` } } };
    for (const reply of await tenants.attack('messages', options, refuse('messages', 400, sentence)))
      expect(reply.status).to.equal(400);
    await tenants.expectUnharmed('messages');
  });

  it('classifies the message if the request does not contain it', async () => {
    const own = await startTenants();
    own.scene.upstream.answer = refuse('messages', 400, 'Your credit balance is too low to access the Anthropic API.');
    const reply = await own.ask('attacker', 'messages');
    expect(reply.status, 'the spare target answers').to.equal(200);
    await own.stop();
  });
});
