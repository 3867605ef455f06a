import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseMetrics, sumOf } from '../../../test/support/parse-metrics.ts';
import { KEY } from '../../../test/support/gateway.ts';
import { cut } from '../damage.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import {
  isRefusedBody,
  plantFault,
  PROMPT_MS,
  readErrorFlaw,
  sendFuzz,
  type FuzzReply,
  type FuzzRequest,
} from '../http.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import type { Random } from '../random.ts';
import { formPaths, makeForm, writeForm } from './parts.ts';

const UPSTREAM_SECRET = 'upstream-secret-of-the-fuzzer';
const secrets = [KEY, UPSTREAM_SECRET];
/** The model as the vendor names it. */
const OWN = 'own-model';
/** After so many cases nothing may be left on disk. */
const CHECK_EVERY = 50;

/** A vendor of forms. It parses them with the parser of Node. */
class FormVendor {
  /** What the vendor reads as the model of each form; `broken`: no form. */
  readonly models: string[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = await readForm(Buffer.concat(chunks), request.headers['content-type'] ?? '');
    this.models.push(form === undefined ? 'broken' : form.getAll('model').join(', '));
    const [type, body] = answerTo(request.url ?? '', ['true', 'True', '1'].includes(String(form?.get('stream'))));
    response.writeHead(200, { 'content-type': type }).end(body);
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const readForm = async (bytes: Buffer, type: string): Promise<FormData | undefined> => {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    return undefined;
  }
};

const eventOf = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const answerTo = (path: string, isStream: boolean): readonly [type: string, body: string] => {
  const isImage = path.includes('/images/');
  if (isStream && !path.includes('/variations'))
    return [
      'text/event-stream',
      isImage ? eventOf('image_edit.completed', { b64_json: 'AA==' }) : eventOf('transcript.text.done', { text: 'Hi' }),
    ];
  const body = isImage ? { created: 1, data: [{ b64_json: 'AA==' }] } : { text: 'Hi' };
  return ['application/json', JSON.stringify(body)];
};

const settingsFor = (baseUrl: string): object => {
  const wires = ['transcriptions', 'translations', 'image-edits', 'image-variations'];
  const entry = { price: { input: 1, output: 1 }, targets: [{ provider: 'vendor', model: OWN }] };
  return {
    // A body that is shorter than it says ends soon.
    server: { port: 0, bodyRate: { perSecond: '1mb', grace: '1s' } },
    admin: { port: 0 },
    store: { database: 'sqlite:./koine.db' },
    providers: { vendor: { use: 'openai-compatible', config: { apiKey: UPSTREAM_SECRET, baseUrl, wires } } },
    models: { 'vendor/audio': entry, 'vendor/image': entry },
    routes: formPaths.map(({ path }) => ({ path, wire: wireOf(path), bodyLimit: '2mb' })),
    organizations: {
      acme: { projects: { web: { keys: { web: { key: KEY, limits: [{ requests: 1_000_000, per: '1m' }] } } } } },
    },
    plugins: ['metrics', 'auth', 'rate-limit', 'ledger'].map((use) => ({ use })),
  };
};
const wireOf = (path: string): string => path.replace('/v1/audio/', '').replace('/v1/images/', 'image-');

/** The bytes as they are, cut off, or with another length than theirs. */
const send = (bytes: Buffer, random: Random): Pick<FuzzRequest, 'pieces'> & { readonly length?: number } => {
  if (random.chance(0.1)) return { pieces: cut(bytes.subarray(0, random.below(bytes.length)), random) };
  if (random.chance(0.02)) return { pieces: [bytes], length: bytes.length + 1 + random.below(1_000) };
  if (random.chance(0.05)) return { pieces: [bytes], length: random.below(bytes.length) };
  return random.chance(0.4) ? { pieces: [bytes], length: bytes.length } : { pieces: cut(bytes, random) };
};

class FormTarget implements Target {
  readonly process: FuzzGateway;
  readonly #vendor: FormVendor;
  readonly #report: ReportFinding;

  constructor(gateway: FuzzGateway, vendor: FormVendor, report: ReportFinding) {
    this.process = gateway;
    this.#vendor = vendor;
    this.#report = report;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    this.#vendor.stop();
  }

  async play({ number, random, isPlanted }: FuzzCase): Promise<string> {
    this.#vendor.models.length = 0;
    const path = random.pick(formPaths);
    const form = makeForm(path, random);
    const { pieces, length } = send(writeForm(form), random);
    const headers = {
      'authorization': `Bearer ${KEY}`,
      'content-type': form.contentType.replaceAll(/[\r\n]/g, ''),
      ...(length === undefined ? {} : { 'content-length': length }),
    };
    const outcome = await this.#send({ path: path.path, headers, pieces }, number, isPlanted);
    if (number % CHECK_EVERY === CHECK_EVERY - 1) await this.#checkDisk(number);
    return outcome;
  }

  async #send(request: FuzzRequest, number: number, isPlanted: boolean): Promise<string> {
    try {
      const sent = await sendFuzz(this.process.url, request, PROMPT_MS);
      const reply = isPlanted ? plantFault(sent, number, UPSTREAM_SECRET) : sent;
      for (const flaw of this.#judge(request, reply)) this.#report(flaw, number);
      return String(reply.status);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) throw thrown;
      return 'closed';
    }
  }

  #judge({ path }: FuzzRequest, reply: FuzzReply): readonly string[] {
    const { status, text, headers } = reply;
    const what = `${path}: ${status}`;
    const flaw = readErrorFlaw(reply);
    const { models } = this.#vendor;
    const foreign = models.find((model) => model !== OWN);
    return [
      ...(status >= 500 ? [`${what} ${text.slice(0, 300)}`] : []),
      ...(flaw === undefined ? [] : [`${what}: ${flaw}`]),
      ...(foreign === undefined ? [] : [`${what}: the vendor reads the model '${foreign}'`]),
      ...(status < 400 && models.length === 0 ? [`${what}, but the vendor got no form`] : []),
      ...(status >= 400 && models.length > 0 ? [`${what}, but the vendor got a form`] : []),
      ...(secrets.some((secret) => (text + JSON.stringify(headers)).includes(secret)) ? [`${what}: a secret`] : []),
    ];
  }

  /** What a form holds is given back at its end. */
  async #checkDisk(number: number): Promise<void> {
    const deadline = performance.now() + PROMPT_MS;
    for (;;) {
      const metrics = await fetch(`${this.process.adminUrl}/metrics`);
      const bytes = sumOf(parseMetrics(await metrics.text()), 'koine_upload_disk_bytes', {});
      if (bytes === 0) return;
      if (performance.now() > deadline) return this.#report(`${bytes} bytes are left on disk`, number);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Random multipart forms. */
export const form: Surface = {
  name: 'form',
  lanes: 1,
  casesPerTarget: 1_000,
  start: async (_options, report) => {
    const vendor = new FormVendor();
    const gateway = await startFuzzGateway({ settings: settingsFor(await vendor.start()), report, secrets });
    return new FormTarget(gateway, vendor, report);
  },
};
