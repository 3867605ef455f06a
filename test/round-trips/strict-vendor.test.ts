import { expect } from 'chai';
import { wires, type Json, type Wire } from '../matrix/wires.ts';
import { answersOf } from './steps.ts';
import { objectTo, type Given } from './strict-vendor.ts';

const { chat, messages, responses, google } = answersOf('calls');
const {
  chat: chatNext,
  messages: messagesNext,
  responses: responsesNext,
  google: googleNext,
} = answersOf('another call');

/** A valid second turn of each vendor. */
const bodies: Readonly<Record<Wire, Json>> = {
  chat: { messages: [chat, chatNext].map(({ message }) => ({ role: 'assistant', ...message })) },
  messages: {
    thinking: { type: 'enabled' },
    messages: [messages, messagesNext].map(({ content }) => ({ role: 'assistant', content })),
  },
  responses: {
    include: ['reasoning.encrypted_content'],
    input: [...responses.output, ...responsesNext.output].map((one) =>
      one.type === 'message' ? { ...one, role: 'assistant' } : one,
    ),
  },
  google: {
    contents: [
      { role: 'model', parts: google.parts },
      { role: 'user', parts: [] },
      { role: 'model', parts: googleNext.parts },
    ],
  },
};
/** Two proofs of each vendor. */
const proofs: Readonly<Record<Wire, readonly [string, string]>> = {
  chat: ['SIG-CHAT-1', 'SIG-CHAT-2'],
  messages: ['SIG-MESSAGES-1', 'SIG-MESSAGES-2'],
  responses: ['ENCRYPTED-RESPONSES-1', 'ENCRYPTED-RESPONSES-2'],
  google: ['R09PR0xFLTE=', 'R09PR0xFLTI='],
};

for (const wire of wires) {
  describe(`round trips: the strict vendor of ${wire}`, () => {
    const given: readonly Given[] = [
      { step: 'calls', by: wire },
      { step: 'another call', by: wire },
    ];
    const [one, other] = proofs[wire];
    const objectToChanged = (change: (text: string) => string): string | undefined =>
      objectTo(wire, JSON.parse(change(JSON.stringify(bodies[wire]))) as Json, given, true);

    it('the strict vendor accepts what it sent', () => {
      expect(objectToChanged((text) => text)).to.equal(undefined);
    });
    it('the strict vendor rejects an altered proof', () => {
      expect(objectToChanged((text) => text.replace(one, 'FORGED'))).to.include('FORGED');
    });
    it('the strict vendor rejects a proof in another place', () => {
      expect(objectToChanged((text) => text.replace(one, 'HERE').replace(other, one).replace('HERE', other))).to.be.a(
        'string',
      );
    });
    it('the strict vendor rejects a missing proof', () => {
      expect(
        objectToChanged((text) =>
          text.replace(new RegExp(`,?"(?:signature|encrypted_content|thoughtSignature)":"${one}"`), ''),
        ),
      ).to.be.a('string');
    });
  });
}
