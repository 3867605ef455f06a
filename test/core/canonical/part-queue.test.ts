import { expect } from 'chai';
import { createPartQueue, type PartEvent } from '../../../core/api/codec.ts';

const start = (part: number): PartEvent => ({
  type: 'part-start',
  choice: 0,
  part,
  kind: 'tool-call',
  call: { id: `call_${part}`, name: 'f', kind: 'function' },
});
const delta = (part: number, text: string): PartEvent => ({ type: 'part-delta', choice: 0, part, text });
const end = (part: number): PartEvent => ({ type: 'part-end', choice: 0, part });

const order = (...events: readonly PartEvent[]): readonly PartEvent[] => {
  const passed: PartEvent[] = [];
  events.forEach(createPartQueue((event) => void passed.push(event)));
  return passed;
};

describe('createPartQueue', () => {
  it('streams the oldest part, and passes the others on when it has ended', () => {
    const events = [
      start(0),
      start(1),
      start(2),
      delta(2, 'c'),
      delta(1, 'b'),
      end(1),
      delta(0, 'a'),
      end(0),
      delta(2, 'C'),
      end(2),
      start(3),
      delta(3, 'd'),
      end(3),
    ];
    const sorted = [
      start(0),
      delta(0, 'a'),
      end(0),
      start(1),
      delta(1, 'b'),
      end(1),
      start(2),
      delta(2, 'c'),
      delta(2, 'C'),
      end(2),
      start(3),
      delta(3, 'd'),
      end(3),
    ];
    expect(order(...events)).to.deep.equal(sorted);
    expect(order(...events.slice(0, 7))).to.deep.equal([start(0), delta(0, 'a')]);
  });

  it('the part queue ignores events without a part', () => {
    expect(order(delta(0, 'a'), end(0), start(0), end(0), delta(0, 'b'))).to.deep.equal([start(0), end(0)]);
  });

  it('passes on every event of very many open parts', () => {
    const parts = Array.from({ length: 100_000 }, (_, part) => part);
    let passed = 0;
    const add = createPartQueue(() => void (passed += 1));
    for (const part of parts) add(start(part));
    for (const part of parts) add(delta(part, '{}'));
    for (const part of parts) add(end(part));
    expect(passed).to.equal(300_000);
  });
});
