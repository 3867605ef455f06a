import type { Exchange, ExchangeOf, GenerateResponse, Services } from '../../core/api/index.ts';
import {
  foldEvents,
  jsonArray,
  ndjson,
  sse,
  unfoldResponse,
  type Framing,
  type GenerateEvent,
  type Loss,
} from '../../core/api/codec.ts';
import { randomUUID } from 'node:crypto';

/** A stored response, in the wire of its request. JSON. */
export interface Entry {
  /** The target that the response came from. */
  readonly target: string;
  readonly lane: 'native' | 'translated';
  readonly losses: readonly Loss[];
  /** Name of the framing of a stream; absent: the response is plain. */
  readonly framing?: string;
  readonly hasUsage: boolean;
  readonly contentType: string;
  readonly body: string;
}

type Form = Pick<Entry, 'framing' | 'hasUsage'>;

const framings: Readonly<Record<string, Framing>> = {
  [sse.name]: sse,
  [jsonArray.name]: jsonArray,
  [ndjson.name]: ndjson,
};

const isGenerate = (exchange: Exchange): exchange is ExchangeOf<'generate'> => exchange.operation === 'generate';

/** The form of the response that a request asks for. */
export const formOf = (exchange: Exchange): Form =>
  isGenerate(exchange) && exchange.request.stream
    ? { framing: exchange.framing, hasUsage: exchange.request.includeUsage }
    : { hasUsage: true };

/** Writes a stored response in the form that a request asks for, if it has another one. */
export class FormChanger {
  readonly #services: Pick<Services, 'codec' | 'clock'>;

  constructor(services: Pick<Services, 'codec' | 'clock'>) {
    this.#services = services;
  }

  /** @returns undefined if the wire cannot be read */
  change(entry: Entry, exchange: Exchange): Pick<Entry, 'body' | 'contentType'> | undefined {
    const form = formOf(exchange);
    if (entry.framing === form.framing && entry.hasUsage === form.hasUsage) return entry;
    if (!isGenerate(exchange)) return undefined;
    const response = this.#read(entry, exchange);
    return response && this.#write(response, exchange);
  }

  #read({ target: id, framing, body }: Entry, exchange: ExchangeOf<'generate'>): GenerateResponse | undefined {
    const upstream = this.#services.codec('generate', exchange.route.wire)?.upstream;
    const target = exchange.targets.find((each) => each.id === id);
    if (upstream === undefined || target === undefined) return undefined;
    const context = { origin: target.endpoint.origin, turn: exchange.request.turns.length, lose: () => {} };
    if (framing === undefined) return upstream.decodeResponse(JSON.parse(body), context);
    const decoder = upstream.decodeStream?.(context);
    const frames = framings[framing]?.decoder({ frameBytes: body.length * 4 });
    if (decoder === undefined || frames === undefined) return undefined;
    const events: GenerateEvent[] = [];
    const push = (event: GenerateEvent): void => void events.push(event);
    frames.push(Buffer.from(body), (frame) => {
      if (frame.data !== '' || frame.event !== undefined) decoder.push(frame, push);
    });
    frames.end((frame) => decoder.push(frame, push));
    decoder.end(push);
    return foldEvents(events);
  }

  #write(
    response: GenerateResponse,
    { request, route, framing, estimate }: ExchangeOf<'generate'>,
  ): Pick<Entry, 'body' | 'contentType'> | undefined {
    const client = this.#services.codec('generate', route.wire)?.client;
    const context = {
      request,
      created: Math.floor(this.#services.clock.now() / 1_000),
      newId: (prefix: string) => prefix + randomUUID().replaceAll('-', ''),
      lose: () => {},
      inputEstimate: estimate.inputTokens,
    };
    if (!request.stream)
      return (
        client && { body: JSON.stringify(client.encodeResponse(response, context)), contentType: 'application/json' }
      );
    const encoder = client?.encodeStream?.(context);
    const { writer, contentType } = framings[framing] ?? {};
    if (encoder === undefined || writer === undefined || contentType === undefined) return undefined;
    let body = '';
    unfoldResponse(response, (event) =>
      encoder.push(event, (name, data) => {
        body += writer.frame(name, data, body === '');
      }),
    );
    return { body: body + writer.close(), contentType };
  }
}
