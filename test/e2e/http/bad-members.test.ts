import { expect } from 'chai';
import { wires, type Wire } from '../../matrix/wires.ts';
import { badMembers } from '../bad-members/index.ts';
import { greet, helloFor, pathOf } from '../../support/calls.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { readRefusal } from '../../support/refusals.ts';
import { CHAT, GOOGLE, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

/** Of another wire: whatever passes the reader has to survive the translation too. */
const models: Readonly<Record<Wire, string>> = { chat: MESSAGES, messages: CHAT, responses: GOOGLE, google: MESSAGES };
/** What no request can do without, if it is not in the path. */
const required: Readonly<Record<Wire, readonly string[]>> = {
  chat: ['model', 'messages'],
  messages: ['model', 'messages', 'max_tokens'],
  responses: ['model', 'input'],
  google: ['contents'],
};
const badRequest: Readonly<Record<Wire, string>> = {
  chat: 'invalid_request_error',
  messages: 'invalid_request_error',
  responses: 'invalid_request_error',
  google: 'INVALID_ARGUMENT',
};

describe('invalid members', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  for (const client of wires) {
    const model = models[client];
    const post = (members: object): Promise<HttpReply> =>
      send(scene.gateway.url, {
        path: pathOf(client, model),
        body: JSON.stringify({ ...helloFor(client, model), ...members }),
      });

    describe(`at ${pathOf(client, '{model}')}`, () => {
      for (const { members, param } of badMembers[client]) {
        it(`an invalid '${param}' is refused by name: ${JSON.stringify(members)}`, async () => {
          scene.upstream.calls.length = 0;
          const refusal = readRefusal(await post(members), client);
          expect(refusal.message).to.include(`'${param}'`);
          expect(refusal.type).to.equal(badRequest[client]);
          if (client !== 'messages') expect(refusal.param).to.equal(param);
          expect(scene.upstream.calls).to.have.length(0);
        });
      }

      for (const member of required[client]) {
        it(`a missing '${member}' is refused`, async () => {
          expect(readRefusal(await post({ [member]: undefined }), client).message).to.include(
            `'${member}' is required`,
          );
          expect(readRefusal(await post({ [member]: null }), client).message).to.include(`'${member}' is required`);
        });
      }
    });
  }
});
