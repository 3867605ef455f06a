import { isDeepStrictEqual } from 'node:util';
import { startTestGateway } from '../../support/gateway.ts';
import { startUpstream } from '../../support/upstream.ts';
import { generation } from '../answers/generation.ts';
import { readRecordedMessage } from '../answers/messages-answer.ts';
import type { Answer } from '../answers/answer.ts';
import { UPSTREAM_KEY, type CorpusGateway } from '../corpus-gateway.ts';
import type { CorpusLine, Json } from '../lines.ts';
import { post } from '../native-lane.ts';
import { count, startTally, type Tally } from '../run.ts';
import { generationWires, wireAdapters, type GenerationWire } from '../wires.ts';
import { readRecordedConverse } from './converse-answer.ts';
import { bedrockModelOf, bytesOf, isMessages, messageEventsOf, readBedrockLines, type BedrockLine } from './lines.ts';

export interface BedrockGateway extends CorpusGateway {
  readonly modelOf: (line: CorpusLine) => string;
  readonly sent: () => { readonly path: string; readonly raw: Buffer } | undefined;
  replay(line: BedrockLine): void;
}

const streamType = 'application/vnd.amazon.eventstream';

interface Served<W extends string> {
  readonly wires: readonly W[];
  readonly routes: readonly object[];
}

/** A gateway in front of Bedrock, which responds with recordings. A model is named by its number: its id has colons. */
export const startBedrock = async <W extends string>(
  lines: readonly BedrockLine[],
  { wires, routes }: Served<W>,
  wire?: string,
): Promise<BedrockGateway> => {
  const upstream = await startUpstream();
  const ids = [...new Set(lines.map(bedrockModelOf))];
  const config = { apiKey: UPSTREAM_KEY, region: 'us-east-1', baseUrl: upstream.url };
  const gateway = await startTestGateway({
    providers: { bedrock: { use: 'bedrock', config } },
    models: Object.fromEntries(
      ids.map((model, number) => [
        `bedrock/model-${number}`,
        { wires, targets: [{ provider: 'bedrock', model, ...(wire === undefined ? {} : { wire }) }] },
      ]),
    ),
    routes,
  });
  return {
    url: gateway.url,
    gateway,
    upstream,
    modelOf: (line) => `bedrock/model-${ids.indexOf(bedrockModelOf(line))}`,
    sent: () => upstream.calls[0],
    replay: (line) => {
      upstream.calls.length = 0;
      upstream.answer = (response) =>
        void response
          .writeHead(line.response.status, {
            ...line.response.headers,
            'content-type': line.stream ? streamType : 'application/json',
          })
          .end(bytesOf(line));
    },
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
};

/** The SDK of a client reads the content of the recorded response. */
const checkClient = async (
  line: BedrockLine,
  recorded: Answer,
  to: GenerationWire,
  at: BedrockGateway,
): Promise<string | undefined> => {
  at.replay(line);
  const card = wireAdapters[to];
  const got = await card.send(at.url, at.modelOf(line), card.minimal(line), line.stream);
  return generation.compare(got, recorded, to);
};

const runClients = async (
  file: string,
  lines: readonly BedrockLine[],
  read: (line: BedrockLine) => Answer,
  clients: readonly GenerationWire[],
  at: BedrockGateway,
): Promise<readonly Tally[]> => {
  const tallies: Tally[] = [];
  for (const to of clients) {
    const tally = startTally(file, `bedrock > ${to}`, lines.length);
    for (const line of lines)
      await count(tally, line.id, async () => ({ failure: await checkClient(line, read(line), to, at) }));
    tallies.push(tally);
  }
  return tallies;
};

/** Converse and ConverseStream have no clients: each response is read by the SDK of every wire. */
export const runConverse = async (file: string): Promise<readonly Tally[]> => {
  const lines = readBedrockLines(file);
  const at = await startBedrock(lines, generation, 'bedrock-converse');
  const tallies = await runClients(file, lines, readRecordedConverse, generationWires, at);
  await at.stop();
  return tallies;
};

const show = (value: unknown): string => JSON.stringify(value).slice(0, 300);

/** The body of the recorded request, with the members that the SDK of the wire has in place of the path. */
const clientBodyOf = (line: BedrockLine, model: string): Json => {
  const { anthropic_version: _version, anthropic_beta: _beta, ...body } = line.request.body ?? {};
  return { ...body, model, ...(line.stream ? { stream: true } : {}) };
};

/** What the client sent goes to the vendor, and what the vendor responds to the client, but for framing and version. */
const checkNative = async (line: BedrockLine, at: BedrockGateway): Promise<string | undefined> => {
  at.replay(line);
  const model = at.modelOf(line);
  const body = clientBodyOf(line, model);
  const plain = { ...line, request: { ...line.request, headers: {} } };
  const reply = await post(at.url, wireAdapters.messages, model, plain, body);
  const received = await reply.text();
  if (reply.headers.get('x-koine-lane') !== 'native') return `lane ${reply.headers.get('x-koine-lane')}: ${received}`;
  const { model: _model, stream: _stream, ...rest } = body;
  const sent: unknown = JSON.parse(at.sent()?.raw.toString() ?? 'null');
  const expected = { ...rest, anthropic_version: 'bedrock-2023-05-31' };
  if (!isDeepStrictEqual(sent, expected)) return `the upstream's body differs: ${show(sent)} for ${show(expected)}`;
  const wanted = line.stream
    ? messageEventsOf(line)
        .map((data) => `event: ${String((JSON.parse(data) as Json)['type'])}\ndata: ${data}\n\n`)
        .join('')
    : bytesOf(line).toString('utf8');
  return received === wanted ? undefined : `the response differs: ${received.slice(-300)} for ${wanted.slice(-300)}`;
};

/** The recorded messages as server-sent events, for the reader of that wire. */
const readMessage = (line: BedrockLine): Answer =>
  readRecordedMessage(
    line.stream
      ? {
          ...line,
          response: {
            ...line.response,
            sse: messageEventsOf(line)
              .map((data) => `data: ${data}\n\n`)
              .join(''),
          },
        }
      : line,
  );

/** InvokeModel of Claude: native for clients of the messages wire, translated for the others. */
export const runInvoke = async (file: string): Promise<readonly Tally[]> => {
  const lines = readBedrockLines(file).filter(isMessages);
  const at = await startBedrock(lines, generation, 'messages');
  const native = startTally(file, 'bedrock native', lines.length);
  for (const line of lines) await count(native, line.id, async () => ({ failure: await checkNative(line, at) }));
  const others = await runClients(file, lines, readMessage, generationWires, at);
  await at.stop();
  return [native, ...others];
};
