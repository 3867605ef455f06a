import { startTestGateway } from '../../support/gateway.ts';
import { startUpstream } from '../../support/upstream.ts';
import type { Answer } from '../answers/answer.ts';
import { readRecordedCohere } from './cohere-answer.ts';
import { generation } from '../answers/generation.ts';
import { readRecordedOllama } from './ollama-answer.ts';
import { UPSTREAM_KEY } from '../corpus-gateway.ts';
import { checkFrames } from '../frame-rules.ts';
import { modelOf, readLines, type CorpusLine, type Json } from '../lines.ts';
import { post } from '../native-lane.ts';
import { count, startTally, type Tally } from '../run.ts';
import type { GenerationWire } from '../wires.ts';

/** A vendor whose wire no client of the gateway has: every response is translated. */
export interface UpstreamOnly {
  readonly provider: string;
  /** The path of the calls; lines with another one are left out. */
  readonly path: string;
  readonly read: (line: CorpusLine) => Answer;
}

export const cohere: UpstreamOnly = { provider: 'cohere', path: '/v2/chat', read: readRecordedCohere };
export const ollama: UpstreamOnly = { provider: 'ollama', path: '/api/chat', read: readRecordedOllama };

/** The model can be a vendor's reasoning one that takes no tools, or the line has no request: a minimal one is sent. */
const send = async (
  url: string,
  line: CorpusLine,
  to: GenerationWire,
  { read }: UpstreamOnly,
): Promise<string | undefined> => {
  const [card, model] = [generation.cards[to], `vendor/${modelOf(line)}`];
  const request: Json = card.minimal(line);
  const wrong = generation.compare(await card.send(url, model, request, line.stream), read(line), to);
  if (wrong !== undefined || !line.stream) return wrong;
  const reply = await post(url, card, model, line, card.forModel(request, model));
  return checkFrames(to, await reply.text(), request);
};

/** Every recorded response through a gateway, to the SDK of each client wire. */
export const runUpstreamOnly = async (file: string, vendor: UpstreamOnly): Promise<readonly Tally[]> => {
  const lines = readLines(file).filter((line) => line.request.path === vendor.path);
  const upstream = await startUpstream();
  const target = (line: CorpusLine): object => ({
    targets: [{ provider: vendor.provider, model: modelOf(line) }],
    wires: generation.wires,
  });
  const gateway = await startTestGateway({
    providers: { [vendor.provider]: { use: vendor.provider, config: { apiKey: UPSTREAM_KEY, baseUrl: upstream.url } } },
    models: Object.fromEntries(lines.map((line) => [`vendor/${modelOf(line)}`, target(line)])),
    routes: generation.routes,
  });
  const tallies: Tally[] = [];
  for (const to of generation.wires) {
    const tally = startTally(file, `${vendor.provider} > ${to}`, lines.length);
    for (const line of lines) {
      const { body, sse, ndjson } = line.response;
      const type = sse === undefined ? (ndjson === undefined ? 'json' : 'x-ndjson') : 'event-stream';
      upstream.answer = (response) =>
        void response
          .writeHead(line.response.status, {
            'content-type': `${type === 'event-stream' ? 'text' : 'application'}/${type}`,
          })
          .end(sse ?? ndjson ?? JSON.stringify(body));
      await count(tally, line.id, async () => ({ failure: await send(gateway.url, line, to, vendor) }));
    }
    tallies.push(tally);
  }
  await gateway.stop();
  await upstream.stop();
  return tallies;
};
