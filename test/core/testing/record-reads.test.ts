import { expect } from 'chai';
import { evenCuts, hazardousCuts, mutate, rechunk, recordReads } from '../../../core/testing/index.ts';

describe('recordReads', () => {
  const turn = { role: 'user', parts: [{ text: 'a', detail: 'b' }] };
  it('recordReads lists the paths that were not read', () => {
    const { value, unread } = recordReads({ turns: [turn], seed: 7, tools: [], absent: undefined });
    expect(unread()).to.deep.equal([
      'turns[0].role',
      'turns[0].parts[0].text',
      'turns[0].parts[0].detail',
      'seed',
      'tools',
    ]);
    void value.turns.map(({ parts }) => parts.map(({ text }) => text));
    expect(unread()).to.deep.equal(['turns[0].role', 'turns[0].parts[0].detail', 'seed', 'tools']);
  });
  it('recordReads distinguishes two places of one object', () => {
    const { value, unread } = recordReads([turn, turn]);
    expect(value[1]?.role).to.equal('user');
    expect(unread()).to.include('[0].role').and.not.include('[1].role');
  });
  it('recordReads returns the same object for the same place, so that code can compare', () => {
    const { value } = recordReads({ turn });
    expect(value.turn).to.equal(value.turn);
  });
  it('recordReads counts serialised members as read', () => {
    const { value, unread } = recordReads({ a: turn, b: 1 });
    expect(JSON.parse(JSON.stringify({ ...value }))).to.deep.equal({ a: turn, b: 1 });
    expect(unread()).to.deep.equal([]);
  });
});

describe('rechunk', () => {
  const bytes = Buffer.from('data: é\r\n\r\ndata: 😀\n\n');
  it('rechunk preserves every byte for any cuts', () => {
    for (const cuts of [[], [0, 5, 5, 99, -1], hazardousCuts(bytes), evenCuts(bytes, 1)]) {
      const chunks = rechunk(bytes, cuts);
      expect(Buffer.concat(chunks).equals(bytes)).to.equal(true);
      expect(chunks.every((chunk) => chunk.length > 0)).to.equal(true);
    }
    expect(rechunk(bytes, evenCuts(bytes, 1))).to.have.length(bytes.length);
  });
  it('rechunk cuts inside characters, between CR and LF, between line ends and in data:', () => {
    const cuts = hazardousCuts(bytes);
    const at = (text: string, inside: number) => bytes.indexOf(text) + inside;
    expect(cuts).to.include.members([
      at('é', 1),
      at('😀', 1),
      at('😀', 2),
      at('😀', 3),
      at('\r\n\r\n', 1),
      at('\r\n\r\n', 2),
      at('\r\n\r\n', 3),
      at('\n\n', 1),
      2,
      5,
    ]);
  });
});

describe('mutations', () => {
  it('mutations replaces each member in turn, without modifying the original', () => {
    const original = { a: [{ b: 1 }], c: 'x' };
    const names = mutate(original).map(({ name }) => name.split(' = ')[0]);
    expect(new Set(names)).to.deep.equal(new Set(['body', 'a', 'a.0', 'a.0.b', 'c']));
    expect(mutate(original).find(({ name }) => name === 'a.0.b = null')?.value).to.deep.equal({
      a: [{ b: null }],
      c: 'x',
    });
    expect(original).to.deep.equal({ a: [{ b: 1 }], c: 'x' });
    expect(mutate(original, 10)).to.have.length(10);
  });
});
