import { randomUUID } from 'node:crypto';
import type { Exchange, ExchangeOf, GenerateResponse, Services } from '../../core/api/index.ts';
import { foldEvents, unfoldResponse, type Loss } from '../../core/api/codec.ts';
import { decodeSent, findClientFraming, type SentResponse } from '../../core/api/internal.ts';

/** A stored response, in the wire of its request. JSON. */
export interface Entry extends SentResponse {
  readonly lane: 'native' | 'translated';
  readonly losses: readonly Loss[];
  readonly hasUsage: boolean;
  readonly contentType: string;
}

type Form = Pick<Entry, 'framing' | 'hasUsage'>;
type Body = Pick<Entry, 'body' | 'contentType'>;

const isGenerate = (exchange: Exchange): exchange is ExchangeOf<'generate'> => exchange.operation === 'generate';

/** The form of the response that a request asks for. */
export const formOf = (exchange: Exchange): Form =>
  isGenerate(exchange) && exchange.request.stream
    ? { framing: exchange.framing, hasUsage: exchange.request.includeUsage }
    : { hasUsage: true };

function writeResponse(
  response: GenerateResponse,
  { request, route, framing: name, estimate }: ExchangeOf<'generate'>,
  { codec, clock }: Pick<Services, 'codec' | 'clock'>,
): Body | undefined {
  const client = codec('generate', route.wire)?.client;
  const now = (): number => Math.floor(clock.now() / 1_000);
  const context = {
    request,
    created: now(),
    now,
    newId: (prefix: string) => prefix + randomUUID().replaceAll('-', ''),
    lose: () => {},
    inputEstimate: estimate.inputTokens,
  };
  if (!request.stream)
    return (
      client && { body: JSON.stringify(client.encodeResponse(response, context)), contentType: 'application/json' }
    );
  const encoder = client?.encodeStream?.(context);
  const { writer, contentType } = findClientFraming(name) ?? {};
  if (encoder === undefined || writer === undefined || contentType === undefined) return undefined;
  let body = '';
  unfoldResponse(response, (event) =>
    encoder.push(event, (type, data) => {
      body += writer.frame(type, data, body === '');
    }),
  );
  return { body: body + writer.close(), contentType };
}

/**
 * The stored response in the form that a request asks for, which can be another than it was stored in.
 * @returns undefined if the wire cannot be read or written
 */
export function writeEntry(entry: Entry, exchange: Exchange, services: Services): Body | undefined {
  const { framing, hasUsage } = formOf(exchange);
  if (entry.framing === framing && entry.hasUsage === hasUsage) return entry;
  if (!isGenerate(exchange)) return undefined;
  const events = decodeSent(services.codec, exchange, entry);
  return events && writeResponse(foldEvents(events), exchange, services);
}
