import { expect } from 'chai';
import { interactionsCodec } from '../../../../providers/google/interactions/index.ts';

const { client, traits } = interactionsCodec;
if (client === undefined || traits === undefined) throw new Error('the codec lacks a side');

const call = { type: 'function_call', id: 'a', name: 'look_up', arguments: { city: 'Oslo' } };
const result = { type: 'function_result', call_id: 'a', name: 'look_up', result: 'Sunny' };
const said = { type: 'text', text: 'Go on.' };

const decode = (...input: readonly object[]) => {
  const body = { model: 'a/b', input };
  return client.decodeRequest({ raw: Buffer.from(JSON.stringify(body)), body, headers: {}, query: {} }).request.turns;
};

describe('interactions: results in the content of the user', () => {
  it('are read as results of their own, in their order', () => {
    expect(decode(call, { type: 'user_input', content: [result] })).to.deep.equal(decode(call, result));
    expect(decode(call, { type: 'user_input', content: [result, said] })).to.deep.equal(decode(call, result, said));
  });

  it('have the places of their turns', () => {
    const input = [call, { type: 'user_input', content: [result, said] }, { type: 'user_input', content: [said] }];
    expect(traits.places?.({ input })).to.deep.equal([
      { turn: 'input[0]', side: 'model', parts: ['input[0]'] },
      { turn: 'input[1].content[0]', side: 'results', parts: ['input[1].content[0]'] },
      { turn: 'input[1].content[1]', side: 'content', parts: ['input[1].content[1]'] },
      { turn: 'input[2]', side: 2, parts: ['input[2].content[0]'] },
    ]);
    expect(decode(...input)).to.have.length(4);
  });

  it('are refused at their place', () => {
    const wrong = { ...result, call_id: undefined };
    expect(() => decode(call, { type: 'user_input', content: [said, wrong] })).to.throw(
      /'input\[1\]\.content\[1\]\.call_id'/,
    );
  });
});
