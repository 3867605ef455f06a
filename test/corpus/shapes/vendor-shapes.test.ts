import { expect } from 'chai';
import { generation } from '../answers/generation.ts';
import { idOf, replay, startCorpusGateway, type CorpusGateway } from '../corpus-gateway.ts';
import { checkNative, post } from '../native-lane.ts';
import type { GenerationWire } from '../wires.ts';
import { chatBodies } from './chat-bodies.ts';
import { chatStreams } from './chat-streams.ts';
import { responses } from './responses.ts';
import type { VendorShape } from './shape.ts';

const { cards, wires, failed } = generation;

/** What the SDK of another wire reads. */
const readAt = async (at: CorpusGateway, { line }: VendorShape, to: GenerationWire): Promise<VendorShape['means']> => {
  replay(at, line);
  const { send, minimal } = cards[to];
  const { text, reasoning, calls, usage } = await send(at.url, idOf(line), minimal(line), line.stream);
  return { text, reasoning, calls, usage };
};

const readRaw = async (at: CorpusGateway, { line }: VendorShape, to: GenerationWire): Promise<string> => {
  replay(at, line);
  const model = idOf(line);
  return (await post(at.url, cards[to], model, line, cards[to].forModel(cards[to].minimal(line), model))).text();
};

describe('the shapes of compatible vendors', () => {
  for (const shape of [...chatStreams, ...chatBodies, ...responses]) {
    const { name, wire, line, means, sources = [] } = shape;
    describe(name, () => {
      let at: CorpusGateway;
      before(async () => {
        at = await startCorpusGateway(generation, [line], wire);
      });
      after(() => at.stop());

      it(`a client of ${wire} gets the bytes of the vendor, but for named edits: ${name}`, async () => {
        expect(await checkNative(line, cards[wire], failed, at)).to.equal(undefined);
      });

      for (const to of wires.filter((other) => other !== wire))
        it(`a client of ${to} reads what the vendor means: ${name}`, async () => {
          const { usage, ...content } = await readAt(at, shape, to);
          const { usage: counted, ...meant } = means;
          expect(content).to.deep.equal(meant);
          const found = await readRaw(at, shape, to);
          expect(sources.filter((source) => !found.includes(source))).to.deep.equal([]);
          // Not every wire reports reasoning.
          expect({ ...usage, reasoning: usage?.reasoning ?? counted?.reasoning }).to.deep.equal(counted);
        });
    });
  }
});
