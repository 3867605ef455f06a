import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { imageLimits } from '../../canonical/images.ts';
import type { Media } from '../../canonical/part.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createDownload, type DownloadOptions } from './download.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { SIGNATURE_BYTES, sniffMediaType } from './media-type.ts';

const MEGABYTE = 1_048_576;
/** Of anything that is no image, which has a limit of its own. */
const EACH_BYTES = 10 * MEGABYTE;
/** A conversation that shows more would be a crawler. */
const MOST_URLS = 100;
const AT_ONCE = 6;
const PATIENCE_MS = 5_000;

/** The media of one exchange. */
export type FetchMedia = (url: string) => Promise<Media>;

export interface MediaSource {
  /** @param exchange whose media are fetched once, however many targets ask; @param signal aborts when its client leaves */
  open(exchange: object, signal: AbortSignal): FetchMedia;
}

/** One sentence for all that can go wrong on the way: more would tell what stands behind our own address. */
const unfetched = (cause: unknown): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `It could not be fetched. It has to stand under a public https address that answers within ${PATIENCE_MS / 1_000} seconds.`,
    { cause },
  );
const refuse = (message: string): GatewayError => new GatewayError('unsupported_parameter', message);
const tooLarge = (bytes: number): GatewayError => refuse(`It is larger than ${bytes / MEGABYTE} MB.`);

/** What all media of one request may still have. */
interface Budget {
  left: number;
}

const collect = async (chunks: AsyncIterable<Buffer>, budget: Budget): Promise<Media> => {
  const pieces: Buffer[] = [];
  let length = 0;
  let mediaType: string | undefined;
  const recognise = (): string => {
    const found = sniffMediaType(Buffer.concat(pieces));
    if (found === undefined)
      throw refuse('It is neither an image (PNG, JPEG, GIF, WebP) nor a PDF nor audio (WAV, MP3).');
    return found;
  };
  for await (const chunk of chunks) {
    pieces.push(chunk);
    length += chunk.byteLength;
    budget.left -= chunk.byteLength;
    if (mediaType === undefined && length >= SIGNATURE_BYTES) mediaType = recognise();
    const most = mediaType?.startsWith('image/') === true ? imageLimits.each : EACH_BYTES;
    if (length > most) throw tooLarge(most);
    if (budget.left < 0)
      throw refuse(`The media of this request are larger than ${imageLimits.total / MEGABYTE} MB together.`);
  }
  return { mediaType: mediaType ?? recognise(), base64: Buffer.concat(pieces).toString('base64') };
};

/** Runs at most so many at once; the others wait their turn. */
const createQueue = (most: number): (<T>(run: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running === most) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

/**
 * Fetches images, documents and audio for targets that take bytes only, behind the guard against requests to our own network. What comes is known
 * by its first bytes, and limited while it streams.
 */
export function createMediaSource({
  ca,
  patienceMs = PATIENCE_MS,
  ...options
}: GuardOptions & Pick<DownloadOptions, 'ca'> & { readonly patienceMs?: number }): MediaSource {
  const download = createDownload(omitUndefined({ guard: createGuard(options), ca }));
  const opened = new WeakMap<object, FetchMedia>();

  const createFetch = (signal: AbortSignal): FetchMedia => {
    const known = new Map<string, Promise<Media>>();
    const budget: Budget = { left: imageLimits.total };
    const enqueue = createQueue(AT_ONCE);
    const failed = new AbortController();
    const fetchOne = async (url: string): Promise<Media> => {
      const patience = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(patienceMs)]);
      try {
        patience.throwIfAborted();
        return await collect(download(url, patience), budget);
      } catch (thrown) {
        // One that cannot be had ends the request: the others need not come.
        failed.abort();
        if (signal.aborted) throw new GatewayError('client_closed', undefined, { cause: thrown });
        throw GatewayError.is(thrown) ? thrown : unfetched(thrown);
      }
    };
    return (url) => {
      const begun = known.get(url);
      if (begun !== undefined) return begun;
      if (known.size === MOST_URLS)
        return Promise.reject(refuse(`A request may have at most ${MOST_URLS} addresses of media.`));
      const media = enqueue(() => fetchOne(url));
      known.set(url, media);
      return media;
    };
  };

  return {
    open: (exchange, signal) => {
      const fetch = opened.get(exchange) ?? createFetch(signal);
      opened.set(exchange, fetch);
      return fetch;
    },
  };
}
