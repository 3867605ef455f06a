import { once } from 'node:events';
import { WebSocket } from 'ws';
import { isObject } from '../../../core/api/codec.ts';
import { KEY } from '../../../test/support/gateway.ts';
import { damage } from '../damage.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { PROMPT_MS } from '../http.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import type { Random } from '../random.ts';

/** A planted fault can replace the end of a message, which then never comes. */
const PLANTED_MS = 5_000;
const MODEL = 'simulator/chat';
const settings = {
  server: { port: 0, websocket: true, bodyLimit: '1mb' },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: { [MODEL]: { wires: ['responses'], targets: [{ provider: 'simulator', model: 'chat' }] } },
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: ['metrics', 'auth', 'rate-limit', 'ledger'].map((use) => ({ use })),
};

const seeds: readonly object[] = [
  { type: 'response.create', model: MODEL, input: 'Hello' },
  { type: 'response.create', model: MODEL, input: [{ role: 'user', content: 'Hello' }], store: false, generate: false },
  { type: 'response.create', model: MODEL, input: 'x', previous_response_id: 'resp_x', store: false },
  { type: 'response.create', response: { model: MODEL, input: 'x' }, stream_id: 'a' },
  { type: 'response.steer', input: 'x' },
];
const donors = collectDonors([...seeds, { stream_id: 'b', stream: false, background: true, generate: null }]);
const bombs = [
  '',
  '{',
  '[]',
  'null',
  '7',
  '"',
  '{"type":',
  '['.repeat(50_000),
  '{"a":'.repeat(50_000),
  '\u0000',
  '{}{}',
];

/** A message, and whether the gateway closes the socket at it. */
interface Sent {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}
const makeMessage = (random: Random): Sent => {
  const isBinary = random.chance(0.03);
  if (random.chance(0.08)) return { bytes: Buffer.from(random.pick(bombs)), isBinary };
  const seed = { ...random.pick(seeds), ...(random.chance(0.4) ? { stream_id: random.pick(['a', 'b', '', 7]) } : {}) };
  const huge = random.chance(0.05) ? { [random.pick(['input', 'x', 'stream_id'])]: 'a'.repeat(900_000) } : {};
  // A change could repeat a huge text a thousand times, so it is added after them.
  const body = random.chance(0.5) ? mutate(seed, random, donors) : seed;
  const text = JSON.stringify(isObject(body) ? { ...body, ...huge } : body) ?? 'null';
  return { bytes: damage(text, random), isBinary };
};

type Message = Readonly<Record<string, unknown>>;
/** What is wrong with a message of the gateway, if anything. */
const readFlaw = (text: string): string | undefined => {
  if (text.includes(KEY)) return 'a secret in a message';
  const { type, status, error } = JSON.parse(text) as Message;
  if (typeof type !== 'string') return `a message without a type: ${text.slice(0, 300)}`;
  if (type !== 'error') return undefined;
  if (typeof status !== 'number' || status >= 500)
    return `an error with the status ${String(status)}: ${text.slice(0, 300)}`;
  const { message = '' } = (error ?? {}) as { readonly message?: string };
  return message === '' || /\n\s+at /.test(message) ? `an error without a text: ${text.slice(0, 300)}` : undefined;
};
const END = /"type":"(?:error|response\.(?:completed|failed|incomplete))"/;

class SocketTarget implements Target {
  readonly process: FuzzGateway;
  readonly #report: ReportFinding;

  constructor(gateway: FuzzGateway, report: ReportFinding) {
    this.process = gateway;
    this.#report = report;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  /** Each text gets exactly one end: an error, or the last event of its response. */
  async play({ number, random, isPlanted }: FuzzCase): Promise<string> {
    const url = `${this.process.url.replace('http', 'ws')}/v1/responses`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${KEY}` } });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    let [ends, wake] = [0, () => {}];
    socket.on('message', (data: Buffer) => {
      const text = isPlanted ? plant(data.toString(), number) : data.toString();
      const flaw = readFlaw(text);
      if (flaw !== undefined) this.#report(flaw, number);
      if (END.test(text)) ends += 1;
      wake();
    });
    await once(socket, 'open');
    const messages = Array.from({ length: 1 + random.below(6) }, () => makeMessage(random));
    for (const { bytes, isBinary } of messages) socket.send(bytes, { binary: isBinary });
    const deadline = AbortSignal.timeout(isPlanted ? PLANTED_MS : PROMPT_MS);
    const isDone = (): boolean => ends >= messages.length || socket.readyState !== socket.OPEN || deadline.aborted;
    deadline.addEventListener('abort', () => wake());
    void closed.then(() => wake());
    while (!isDone()) await new Promise<void>((resolve) => (wake = resolve));
    if (deadline.aborted) this.#report(`${ends} ends of ${messages.length} messages in time`, number);
    socket.close();
    const code = await closed;
    if (code === 1011 || code === 1006 || ends > messages.length)
      this.#report(`closed with ${code} after ${ends} ends of ${messages.length} messages`, number);
    return `close ${code}`;
  }
}

/** A message as a gateway with a fault would send it. */
function plant(text: string, number: number): string {
  const faults = [KEY, '{"type":"error","status":500,"error":{"message":"x"}}', '{}'];
  return faults[number % faults.length] ?? text;
}

/** Random messages on WebSockets of the wire responses. */
export const socket: Surface = {
  name: 'socket',
  lanes: 1,
  casesPerTarget: 2_000,
  start: async (_options, report) =>
    new SocketTarget(await startFuzzGateway({ settings, report, secrets: [KEY] }), report),
};
