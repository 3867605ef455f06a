import { expect } from 'chai';
import type { JsonObject, EndpointWire } from '../../../../core/api/index.ts';
import google from '../../../../providers/google/index.ts';
import openai from '../../../../providers/openai/index.ts';
import simulator from '../../../../providers/simulator/index.ts';
import { createVector } from '../../../../providers/simulator/answer/embed.ts';
import { createServices, readText, send } from '../simulate.ts';

const services = createServices([...(openai.codecs ?? []), ...(google.codecs ?? [])]);
const speechOf = async (wire: string, model = 'chat'): Promise<EndpointWire> => {
  const speech = (await simulator.create({}, services))
    .endpoint(model)
    .wires.find((one) => one.operation === 'embed' && one.wire === wire);
  if (speech === undefined) throw new Error(`The simulator does not embed on ${wire}.`);
  return speech;
};
interface Answer extends JsonObject {
  readonly data: readonly { readonly embedding: readonly number[] | string }[];
  readonly usage: JsonObject;
}
const call = async (
  body: JsonObject,
  model = 'chat',
): Promise<{ readonly status: number; readonly answer: Answer }> => {
  const reply = await send(await speechOf('embeddings', model), { body: { model, ...body } });
  return { status: reply.status, answer: JSON.parse(await readText(reply)) as Answer };
};
const vectorsOf = async (body: JsonObject): Promise<readonly (readonly number[])[]> =>
  (await call(body)).answer.data.map(({ embedding }) => embedding as readonly number[]);
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);
const product = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

describe('simulator: embeddings', () => {
  it('returns the same vector of length 1 for the same text, in any request', async () => {
    const [first, second, third] = await vectorsOf({ input: ['Good morning', 'Ruby', 'Good morning'] });
    const [alone] = await vectorsOf({ input: 'Good morning' });
    expect(first).to.have.lengthOf(256);
    expect(third).to.deep.equal(first).and.deep.equal(alone);
    expect(second).to.not.deep.equal(first);
    for (const vector of [first ?? [], second ?? []]) expect(lengthOf(vector)).to.be.closeTo(1, 1e-6);
  });

  it('returns closer vectors for texts with words in common', async () => {
    const [cat, kitten, bill] = await vectorsOf({
      input: ['the cat sat on the mat', 'The cat, on a mat!', 'invoices are due in March'],
    });
    expect(product(cat ?? [], kitten ?? [])).to.be.above(product(cat ?? [], bill ?? []) + 0.3);
  });

  it('each word changes 16 coordinates, by the same amount', () => {
    const changed = createVector('Ruby', 1_000_000).filter((value) => value !== 0);
    expect(changed).to.have.length(16);
    for (const value of changed) expect(Math.abs(value)).to.be.closeTo(1 / 4, 1e-6);
  });

  it('returns a vector for every text', () => {
    for (const text of [' ', '?!', '日本語のテキスト', '😀', '\u0000']) {
      for (const dimensions of [1, 2, 256])
        expect(lengthOf([...createVector(text, dimensions)]), `${text} ${dimensions}`).to.be.closeTo(1, 1e-6);
    }
  });

  it('returns vectors with the requested dimensions and encoding', async () => {
    expect((await vectorsOf({ input: 'a', dimensions: 8 }))[0]).to.have.lengthOf(8);
    const { answer } = await call({ input: 'a', dimensions: 8, encoding_format: 'base64' });
    expect(Buffer.from(String(answer.data[0]?.embedding), 'base64')).to.have.lengthOf(32);
  });

  it('rejects vectors that would not fit in memory', async () => {
    for (const body of [
      { input: 'a', dimensions: 8_193 },
      { input: Array.from({ length: 2_048 }, () => 'a'), dimensions: 4_096 },
    ]) {
      const { status, answer } = await call(body);
      expect(status).to.equal(400);
      expect(answer).to.have.nested.property('error.param', 'dimensions');
    }
  });

  it('counts four characters as a token, and token ids as themselves', async () => {
    expect((await call({ input: ['Good', 'morning'] })).answer.usage).to.deep.equal({
      prompt_tokens: 3,
      total_tokens: 3,
    });
    expect((await call({ input: [1, 2, 3] })).answer.usage).to.deep.equal({ prompt_tokens: 3, total_tokens: 3 });
    expect((await call({ input: 'a' }, 'chat?inputTokens=512')).answer.usage).to.deep.equal({
      prompt_tokens: 512,
      total_tokens: 512,
    });
    expect((await call({ input: 'a' }, 'chat?usage=none')).answer.usage).to.deep.equal({
      prompt_tokens: 0,
      total_tokens: 0,
    });
  });

  it("takes directives from the model's name and from the last text, and removes them from it", async () => {
    expect((await call({ input: 'a' }, 'chat?status=429')).status).to.equal(429);
    expect((await call({ input: ['a', 'b [[simulator status=503]]'] })).status).to.equal(503);
    expect((await call({ input: 'a [[simulator stauts=503]]' })).status).to.equal(400);
    expect(await vectorsOf({ input: ['Ruby [[simulator delay=1]]'] })).to.deep.equal(
      await vectorsOf({ input: ['Ruby'] }),
    );
  });

  it("supports both forms of Google's wire", async () => {
    const speech = await speechOf('embed-content');
    const content = { parts: [{ text: 'Ruby' }] };
    const one = JSON.parse(
      await readText(await send(speech, { body: { content, outputDimensionality: 8 } })),
    ) as JsonObject;
    const all = JSON.parse(
      await readText(await send(speech, { body: { requests: [{ content, outputDimensionality: 8 }] } })),
    ) as JsonObject;
    expect(one['embedding']).to.have.property('values').with.lengthOf(8);
    expect(all['embeddings']).to.deep.equal([one['embedding']]);
    expect(all['usageMetadata']).to.include({ promptTokenCount: 1 });
  });
});
