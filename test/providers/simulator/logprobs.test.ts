import { expect } from 'chai';
import type { JsonObject, ProviderDefinition } from '../../../core/api/index.ts';
import { foldEvents, type AnyCodec } from '../../../core/api/codec.ts';
import { createReadContext, decodeEvents, decodeFrames } from '../../../core/testing/index.ts';
import google from '../../../providers/google/index.ts';
import openai from '../../../providers/openai/index.ts';
import simulator from '../../../providers/simulator/index.ts';
import { createServices, readText, send } from './simulate.ts';

const codecsOf = ({ codecs = [] }: Pick<ProviderDefinition, 'codecs'>): readonly AnyCodec[] => codecs;
const services = createServices([...codecsOf(openai), ...codecsOf(google)]);

const messages = [{ role: 'user', content: 'Hello' }];
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
/** How each wire asks for three tokens at each place. */
const requests: Readonly<Record<string, { readonly asked: JsonObject; readonly unasked: JsonObject }>> = {
  'chat-completions': { asked: { messages, logprobs: true, top_logprobs: 3 }, unasked: { messages } },
  'completions': { asked: { prompt: 'Hello', logprobs: 3 }, unasked: { prompt: 'Hello' } },
  'responses': {
    asked: { input: 'Hello', include: ['message.output_text.logprobs'], top_logprobs: 3 },
    unasked: { input: 'Hello' },
  },
  'generate-content': {
    asked: { contents, generationConfig: { responseLogprobs: true, logprobs: 3 } },
    unasked: { contents },
  },
};

describe('simulator: log probabilities', () => {
  for (const [wire, { asked, unasked }] of Object.entries(requests)) {
    const codec = services.codec('generate', wire);
    const ask = async (members: JsonObject, stream: boolean): Promise<string> => {
      const provider = await simulator.create({}, services);
      const speech = provider.endpoint('chat').wires.find((one) => one.wire === wire);
      if (speech === undefined) throw new Error(`the simulator does not serve ${wire}`);
      const reply = await send(speech, { body: { model: 'chat', ...members, ...(stream ? { stream } : {}) }, stream });
      expect(reply.status).to.equal(200);
      return readText(reply);
    };

    it(`of each token are in responses of ${wire} that ask for them, plain and streamed`, async () => {
      if (codec?.upstream === undefined) throw new Error(`${wire} has no upstream side`);
      const plain = codec.upstream.decodeResponse(JSON.parse(await ask(asked, false)), createReadContext());
      const frames = decodeFrames([Buffer.from(await ask(asked, true))]);
      const streamed = foldEvents(decodeEvents(codec, frames));
      for (const { choices } of [plain, streamed]) {
        const [part] = choices[0]?.parts ?? [];
        const { text, logprobs = [] } = part?.type === 'text' ? part : { text: '' };
        expect(logprobs.map(({ token }) => token).join('')).to.equal(text);
        expect(logprobs.length).to.be.greaterThan(10);
        for (const { token, logprob, top } of logprobs) {
          expect(top).to.have.length(3);
          expect(top[0]).to.include({ token, logprob });
        }
      }
      expect(streamed.choices[0]?.parts).to.deep.equal(plain.choices[0]?.parts);
    });

    it(`are not in responses of ${wire} that do not ask for them`, async () => {
      expect(await ask(unasked, false))
        .to.not.include('"token"')
        .and.not.include('avgLogprobs');
    });
  }
});
