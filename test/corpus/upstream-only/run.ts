import { startTestGateway } from '../../support/gateway.ts';
import { startUpstream } from '../../support/upstream.ts';
import { replay, UPSTREAM_KEY, type CorpusGateway } from '../corpus-gateway.ts';
import { checkSdk } from '../errors/check-sdk.ts';
import { checkFrames } from '../frame-rules.ts';
import { modelOf, readLines, type CorpusLine, type Json } from '../lines.ts';
import { post } from '../native-lane.ts';
import { count, startTally, type Tally } from '../run.ts';
import type { CorpusOperation } from '../wire-adapter.ts';

/** A vendor whose wire no client of the gateway has: every response is translated. */
export interface UpstreamOnly<A> {
  readonly provider: string;
  /** Whether a line is of the vendor, and of a path that its provider calls. */
  readonly serves: (line: CorpusLine) => boolean;
  readonly read: (line: CorpusLine) => A;
}

/** Whether the vendor refused the request, or failed while it answered. */
const isFailed = ({ response: { status, ndjson = '' } }: CorpusLine): boolean =>
  status >= 400 || /^\{"error":/m.test(ndjson);

/** No client has sent the recorded request, so a minimal one is sent. */
const checkAnswer = async <W extends string, A>(
  line: CorpusLine,
  { cards, compare }: CorpusOperation<W, A>,
  to: W,
  { read }: UpstreamOnly<A>,
  at: CorpusGateway,
): Promise<string | undefined> => {
  const [card, model] = [cards[to], `vendor/${modelOf(line)}`];
  const request: Json = card.minimal(line);
  replay(at, line);
  const wrong = compare(await card.send(at.url, model, request, line.stream), read(line), to);
  if (wrong !== undefined || !line.stream) return wrong;
  const reply = await post(at.url, card, model, line, card.forModel(request, model));
  return checkFrames(to, await reply.text(), request);
};

const startGateway = async <W extends string, A>(
  lines: readonly CorpusLine[],
  { wires, routes }: CorpusOperation<W, A>,
  provider: string,
): Promise<CorpusGateway> => {
  const upstream = await startUpstream();
  const models = lines.map(
    (line) => [`vendor/${modelOf(line)}`, { targets: [{ provider, model: modelOf(line) }], wires }] as const,
  );
  const gateway = await startTestGateway({
    providers: { [provider]: { use: provider, config: { apiKey: UPSTREAM_KEY, baseUrl: upstream.url } } },
    models: Object.fromEntries(models),
    routes,
  });
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await upstream.stop();
  };
  return { url: gateway.url, gateway, upstream, stop };
};

/** Every recorded response through a gateway, to the SDK of each client wire. */
export const runUpstreamOnly = async <W extends string, A>(
  file: string,
  vendor: UpstreamOnly<A>,
  operation: CorpusOperation<W, A>,
): Promise<readonly Tally[]> => {
  const lines = readLines(file).filter(vendor.serves);
  const at = await startGateway(lines, operation, vendor.provider);
  const tallies: Tally[] = [];
  for (const to of operation.wires) {
    const tally = startTally(file, `${vendor.provider} > ${to}`, lines.length);
    for (const line of lines)
      await count(tally, line.id, async () => ({
        failure: isFailed(line)
          ? await checkSdk(line, to, operation.cards[to], operation.failed, at)
          : await checkAnswer(line, operation, to, vendor, at),
      }));
    tallies.push(tally);
  }
  await at.stop();
  return tallies;
};
