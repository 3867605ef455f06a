import { expect } from 'chai';
import { definePlugin, type Outcome } from '../../../core/api/index.ts';
import { builtIns } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import type { EmbeddingWire } from '../answers/embedding.ts';
import { idOf, replay, startCorpusGateway, type CorpusGateway } from '../corpus-gateway.ts';
import { modelOf, responseText, type CorpusLine } from '../lines.ts';
import { post } from '../native-lane.ts';
import type { CorpusOperation } from '../wire-adapter.ts';
import type { GenerationWire } from '../wires.ts';
import { costOf, type Bill } from './bill.ts';
import { readChatBill } from './chat-bill.ts';
import { readEmbedContentBill, readEmbeddingsBill } from './embeddings-bill.ts';
import { readGoogleBill } from './google-bill.ts';
import { readInteractionsBill } from './interactions-bill.ts';
import { readMessagesBill } from './messages-bill.ts';
import { writtenPrice } from './price.ts';
import { readResponsesBill } from './responses-bill.ts';

const readers: Readonly<Record<GenerationWire | EmbeddingWire, (text: string, model: string) => readonly Bill[]>> = {
  'chat-completions': readChatBill,
  'messages': readMessagesBill,
  'responses': readResponsesBill,
  'generate-content': readGoogleBill,
  'interactions': readInteractionsBill,
  'embeddings': readEmbeddingsBill,
  'embed-content': readEmbedContentBill,
};

const outcomes: Outcome[] = [];
const recorder = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'recorder',
  schema: { type: 'object' },
  create: () => ({ ended: ({ outcome }) => void outcomes.push(outcome) }),
});
const extensions = { ...builtIns, plugin: { ...builtIns.plugin, recorder } };
const plugins = [{ use: 'auth' }, { use: 'recorder' }];

/** A minimal request of the client's wire, which is answered by the recording. @returns undefined if it failed */
const charge = async <W extends string, A>(
  { cards }: CorpusOperation<W, A>,
  at: CorpusGateway,
  client: W,
  line: CorpusLine,
): Promise<Outcome | undefined> => {
  outcomes.splice(0);
  replay(at, line);
  const model = idOf(line);
  const request = cards[client].forModel(cards[client].minimal(line), model);
  const withoutHeaders = { ...line, request: { ...line.request, headers: {} } };
  const reply = await post(at.url, cards[client], model, withoutHeaders, request);
  await reply.text();
  await until('the exchange is settled', () => outcomes.length === 1);
  return reply.ok ? outcomes[0] : undefined;
};

/** A vendor that counts no input leaves the whole count to an estimate. */
const countsInput = ([bill]: readonly Bill[]): boolean =>
  Object.entries(bill?.counts ?? {}).some(([item, count]) => /^(?:input|cache)/.test(item) && count > 0);

/** Holds the lines of one wire against the vendors' bills, on every client wire. @returns how many were held */
export const holdLines = async <W extends GenerationWire | EmbeddingWire, A>(
  operation: CorpusOperation<W, A>,
  wire: W,
  lines: readonly CorpusLine[],
): Promise<number> => {
  const billed = lines
    .map((line) => ({ line, bills: readers[wire](responseText(line), modelOf(line)) }))
    .filter(({ line, bills }) => line.response.status < 400 && countsInput(bills));
  const own = new Set(lines.map(modelOf));
  const isFurther = (model: string): boolean => !own.has(model);
  const models = billed.flatMap(({ bills }) => bills.flatMap(({ model }) => model ?? [])).filter(isFurther);
  const settings = { price: writtenPrice, plugins, models, extensions };
  const at = await startCorpusGateway(operation, lines, wire, settings);
  const wrong: string[] = [];
  let held = 0;
  try {
    for (const { line, bills } of billed)
      for (const client of operation.wires) {
        const outcome = await charge(operation, at, client, line);
        if (outcome === undefined) continue;
        held += 1;
        if (outcome.cost !== costOf(bills, isFurther))
          wrong.push(
            `${line.id} on ${client}: ${outcome.cost} for ${costOf(bills, isFurther)}, ${JSON.stringify(bills)}`,
          );
      }
  } finally {
    await at.stop();
  }
  expect(wrong).to.deep.equal([]);
  return held;
};
