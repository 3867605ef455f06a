import { expect } from 'chai';
import type { JsonObject } from '../../../core/api/index.ts';
import anthropic from '../../../providers/anthropic/index.ts';
import google from '../../../providers/google/index.ts';
import { responsesCountCodec } from '../../../providers/openai/responses/count-tokens.ts';
import simulator from '../../../providers/simulator/index.ts';
import { createServices, readText, send } from './simulate.ts';

const services = createServices([...(anthropic.codecs ?? []), ...(google.codecs ?? []), responsesCountCodec]);
const count = async (wire: string, body: JsonObject, model = 'chat'): Promise<JsonObject> => {
  const speech = (await simulator.create({}, services))
    .endpoint(model)
    .wires.find((one) => one.operation === 'count-tokens' && one.wire === wire);
  if (speech === undefined) throw new Error(`The simulator does not count on ${wire}.`);
  return JSON.parse(await readText(await send(speech, { body }))) as JsonObject;
};
const content = 'Good morning to you!';
const messages: JsonObject = { model: 'chat', messages: [{ role: 'user', content }] };

describe('simulator: token counting', () => {
  it('counts the prompt in the shape of each wire', async () => {
    expect(await count('messages', messages)).to.deep.equal({ input_tokens: 5 });
    expect(await count('generate-content', { contents: [{ role: 'user', parts: [{ text: content }] }] })).to.deep.equal(
      { totalTokens: 5 },
    );
    expect(await count('responses', { model: 'chat', input: content })).to.deep.equal({
      object: 'response.input_tokens',
      input_tokens: 5,
    });
  });

  it('counts what a response would report as its input', async () => {
    const codec = anthropic.codecs?.find(({ operation }) => operation === 'generate');
    const speech = (await simulator.create({}, services))
      .endpoint('chat')
      .wires.find((one) => one.operation === 'generate' && one.wire === codec?.wire);
    if (speech === undefined) throw new Error('The simulator does not speak messages.');
    const prompt = { ...messages, system: 'Be kind.', tools: [{ name: 'f', input_schema: { type: 'object' } }] };
    const answer = JSON.parse(await readText(await send(speech, { body: { ...prompt, max_tokens: 50 } }))) as {
      readonly usage: Readonly<Record<string, number>>;
    };
    const {
      input_tokens: fresh = 0,
      cache_read_input_tokens: read = 0,
      cache_creation_input_tokens: written = 0,
    } = answer.usage;
    expect(await count('messages', prompt)).to.deep.equal({ input_tokens: fresh + read + written });
  });

  it('accepts directives in a token count', async () => {
    expect(await count('messages', messages, 'chat?inputTokens=512')).to.deep.equal({ input_tokens: 512 });
    expect(await count('messages', messages, 'chat?status=429')).to.have.nested.property(
      'error.type',
      'rate_limit_error',
    );
    expect(
      await count('messages', {
        ...messages,
        messages: [{ role: 'user', content: `${content} [[simulator status=529]]` }],
      }),
    ).to.have.nested.property('error.type', 'overloaded_error');
  });
});
