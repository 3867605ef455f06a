import { once } from 'node:events';
import { WebSocket } from 'ws';
import { KEY } from '../../support/gateway.ts';
import { MODEL } from '../kinds.ts';
import type { Document } from '../documents.ts';
import { createEventJudge } from './schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A response object, as far as the templates read it. */
export interface ResponseObject {
  readonly id?: string;
  readonly status?: string;
  readonly output?: readonly Json[];
  readonly error?: { readonly code?: string } | null;
}

/** One response: its events, its object, and what its schema says about both. */
export interface Turn {
  readonly events: readonly Json[];
  readonly response: ResponseObject;
  /** The code of an error in the place of a response. */
  readonly code: string | undefined;
  readonly complaints: readonly string[];
}

const TERMINAL = /^response\.(?:completed|failed|incomplete)$/;

interface Judge extends Pick<Document, 'complain'> {
  readonly event: (event: unknown) => readonly string[];
}

/** The turn that these events are. */
const readTurn = (events: readonly Json[], judge: Judge): Turn => {
  const last = events.at(-1) ?? {};
  const response = (last['response'] ?? {}) as ResponseObject;
  const failure = (last['error'] ?? response.error) as { readonly code?: string } | null | undefined;
  const isError = last['type'] === 'error';
  return {
    events,
    response,
    code: failure?.code ?? (isError ? 'error' : undefined),
    complaints: [...events.flatMap(judge.event), ...(isError ? [] : judge.complain('ResponseResource', response))],
  };
};

/** A client of the Open Responses standard: by HTTP, and over sockets. */
export class Client {
  readonly #url: string;
  readonly #judge: Judge;

  constructor(url: string, document: Document) {
    this.#url = `${url}/v1`;
    this.#judge = { complain: document.complain, event: createEventJudge(document) };
  }

  async plain(body: Json): Promise<Turn> {
    const { status, text } = await this.#post('/responses', body);
    if (status !== 200) return { events: [], response: {}, code: `HTTP ${status}`, complaints: [text] };
    const response = JSON.parse(text) as ResponseObject;
    return {
      events: [],
      response,
      code: response.error?.code,
      complaints: this.#judge.complain('ResponseResource', response),
    };
  }

  async stream(body: Json): Promise<Turn> {
    const { status, text } = await this.#post('/responses', { ...body, stream: true });
    if (status !== 200) return { events: [], response: {}, code: `HTTP ${status}`, complaints: [text] };
    const data = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
    return readTurn(
      data.map((line) => JSON.parse(line) as Json),
      this.#judge,
    );
  }

  /** @returns the compacted items */
  async compact(input: unknown): Promise<{ readonly output: readonly Json[]; readonly complaints: readonly string[] }> {
    const { status, text } = await this.#post('/responses/compact', { input });
    if (status !== 200) return { output: [], complaints: [`HTTP ${status}: ${text}`] };
    const resource = JSON.parse(text) as { readonly output: readonly Json[] };
    return { output: resource.output, complaints: this.#judge.complain('CompactResource', resource) };
  }

  /** Runs turns one after the other on one socket. Each can depend on those before. */
  async socket(...steps: readonly ((turns: readonly Turn[]) => Json)[]): Promise<readonly Turn[]> {
    const socket = new WebSocket(`${this.#url}/responses`, { headers: { authorization: `Bearer ${KEY}` } });
    await once(socket, 'open');
    const turns: Turn[] = [];
    for (const step of steps) {
      const request = { type: 'response.create', model: MODEL, ...step(turns) };
      const wrong = this.#judge.complain('WebSocketResponseCreateEvent', request);
      if (wrong.length > 0) throw new Error(`The template sends a wrong request: ${wrong.join('; ')}`);
      socket.send(JSON.stringify(request));
      turns.push(await this.#receive(socket));
    }
    socket.close();
    return turns;
  }

  #receive(socket: WebSocket): Promise<Turn> {
    return new Promise((resolve) => {
      const events: Json[] = [];
      const read = (data: Buffer): void => {
        const event = JSON.parse(data.toString()) as Json;
        events.push(event);
        if (event['type'] !== 'error' && !TERMINAL.test(String(event['type']))) return;
        socket.off('message', read);
        resolve(readTurn(events, this.#judge));
      };
      socket.on('message', read);
    });
  }

  async #post(path: string, body: Json): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, ...body }),
    });
    return { status: response.status, text: await response.text() };
  }
}
