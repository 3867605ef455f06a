import { expect } from 'chai';
import { greet, headOf, pathOf } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { pairOf, wires, type Json, type Wire } from '../../matrix/wires.ts';

const WORDS = 'Answer in French.';
const BLANK = ' \n';

/** A system prompt, and a user who says nothing, in the ways of each wire. */
const requests: Readonly<Record<Wire, readonly Json[]>> = {
  chat: ['', BLANK, [{ type: 'text', text: '' }]].map((content) => ({
    messages: [
      { role: 'system', content: WORDS },
      { role: 'user', content },
    ],
  })),
  messages: ['', BLANK, [{ type: 'text', text: '' }]].map((content) => ({
    max_tokens: 100,
    system: WORDS,
    messages: [{ role: 'user', content }],
  })),
  responses: ['', [{ role: 'user', content: '' }], [{ role: 'user', content: [{ type: 'input_text', text: '' }] }]].map(
    (input) => ({ instructions: WORDS, input }),
  ),
  google: ['', BLANK].map((text) => ({
    systemInstruction: { parts: [{ text: WORDS }] },
    contents: [{ role: 'user', parts: [{ text }] }],
  })),
};
/** Wires that accept an empty text get both turns; the others get the words as the user's. */
const refusing: ReadonlySet<Wire> = new Set(['messages', 'google']);
/** Where the client wrote the words. */
const places: Readonly<Record<Wire, string>> = {
  chat: 'messages[0].content',
  messages: 'system',
  responses: 'instructions',
  google: 'systemInstruction.parts[0]',
};
/** The conversation that the vendor received. */
const turnsOf: Readonly<Record<Wire, (body: Json) => unknown>> = {
  chat: ({ messages }) => messages,
  messages: ({ messages }) => messages,
  responses: ({ input }) => input,
  google: ({ contents }) => contents,
};

describe('a system prompt with an empty user text', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  for (const client of wires) {
    for (const target of wires.filter((wire) => wire !== client)) {
      it(`a system prompt with an empty user text reaches the vendor over ${pairOf(client, target)}`, async () => {
        for (const members of requests[client]) {
          scene.upstream.calls.length = 0;
          const reply = await send(scene.gateway.url, {
            path: pathOf(client, modelIds[target]),
            body: JSON.stringify({ ...members, ...headOf(client, modelIds[target]) }),
          });
          expect(reply.status, reply.text).to.equal(200);
          const [call] = scene.upstream.calls;
          expect(JSON.stringify(call?.body).split(WORDS), 'the words are sent once').to.have.length(2);
          if (!refusing.has(target)) continue;
          expect(String(reply.headers['x-koine-losses']).split(', ')).to.include(`${places[client]};approximated`);
          const turns = turnsOf[target](call?.body ?? {});
          expect(turns).to.be.an('array').with.length(1);
          expect(JSON.stringify(turns)).to.include(WORDS).and.to.include('"user"');
        }
      });
    }
  }
});
