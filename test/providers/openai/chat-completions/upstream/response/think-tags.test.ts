import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  ThinkTags,
  type Thought,
} from '../../../../../../providers/openai/chat-completions/upstream/response/think-tags.ts';

const join = (thoughts: readonly Thought[]): Thought => ({
  reasoning: thoughts.map(({ reasoning }) => reasoning).join(''),
  text: thoughts.map(({ text }) => text).join(''),
});
const read = (...pieces: readonly string[]): Thought => {
  const tags = new ThinkTags();
  return join([...pieces.map((piece) => tags.add(piece)), tags.end()]);
};

describe('chat-completions: reasoning in tags', () => {
  for (const [name, text, thought] of [
    ['reasoning and text', '<think>a</think>b', { reasoning: 'a', text: 'b' }],
    ['white space around the tags', ' \n<think>\na\n</think>\n\n b', { reasoning: '\na\n', text: 'b' }],
    ['a text without tags', '  b', { reasoning: '', text: '  b' }],
    ['tags after a text', 'b <think>a</think>', { reasoning: '', text: 'b <think>a</think>' }],
    ['a second pair of tags', '<think>a</think>b<think>c</think>', { reasoning: 'a', text: 'b<think>c</think>' }],
    ['an unclosed tag', '<think>a</thin', { reasoning: 'a</thin', text: '' }],
    ['half of a tag', '<thin', { reasoning: '', text: '<thin' }],
    ['other tags within', '<think>1 < 2 </b> <</think>b', { reasoning: '1 < 2 </b> <', text: 'b' }],
    ['empty reasoning', '<think></think>b', { reasoning: '', text: 'b' }],
    ['nothing but white space', '\n', { reasoning: '', text: '' }],
    ['much white space', ' '.repeat(100), { reasoning: '', text: ' '.repeat(100) }],
  ] as const)
    it(`separates reasoning from the text, whole and however it is cut: ${name}`, () => {
      expect(read(text)).to.deep.equal(thought);
      if (text.trim() !== '') expect(read(...text)).to.deep.equal(thought);
    });

  it('reads any text the same however it is cut', () => {
    const piece = fc.constantFrom('<think>', '</think>', '<', '/think>', 'a', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
        const cut = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(read(...cut)).to.deep.equal(read(text));
      }),
    );
  });

  it('emits reasoning as soon as it cannot be part of a tag', () => {
    const tags = new ThinkTags();
    tags.add('<think>');
    expect(tags.add('abc')).to.deep.equal({ reasoning: 'abc', text: '' });
    expect(tags.add('d<')).to.deep.equal({ reasoning: 'd', text: '' });
    expect(tags.add('/')).to.deep.equal({ reasoning: '', text: '' });
    expect(tags.add('b')).to.deep.equal({ reasoning: '</b', text: '' });
  });
});
