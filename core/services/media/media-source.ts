import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { imageLimits } from '../../canonical/images.ts';
import type { Media } from '../../canonical/part.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createDownload, type DownloadOptions } from './download.ts';
import { createUrlCheck, type UrlCheckOptions } from './url-check.ts';
import { SIGNATURE_BYTES, sniffMediaType } from './media-type.ts';

const MEGABYTE = 1_048_576;
/** For everything but images, which have their own limit. */
const EACH_BYTES = 10 * MEGABYTE;
/** A real conversation has fewer. */
const MAX_URLS = 100;
const AT_ONCE = 6;
const TIMEOUT_MS = 5_000;

/** Downloads the media of one exchange. */
export type FetchMedia = (url: string) => Promise<Media>;

export interface MediaSource {
  /**
   * @param exchange its media are fetched once, however many targets are tried
   * @param signal aborts when its client disconnects
   */
  open(exchange: object, signal: AbortSignal): FetchMedia;
}

/** One message for every failure of the download: details would reveal what is reachable from the gateway. */
const unfetched = (cause: unknown): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `It could not be fetched. It must have a public https URL that responds within ${TIMEOUT_MS / 1_000} seconds.`,
    { cause },
  );
const refuse = (message: string): GatewayError => new GatewayError('unsupported_parameter', message);
const tooLarge = (bytes: number): GatewayError => refuse(`It is larger than ${bytes / MEGABYTE} MB.`);

/** The remaining bytes for all media of one request. */
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

/** Runs at most this many at once; the others wait. */
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
 * Fetches images, documents and audio for targets that accept bytes only. The URL check prevents requests to the
 * private network. The type is determined from the first bytes, and the size is limited while the download runs.
 */
export function createMediaSource({
  ca,
  timeoutMs = TIMEOUT_MS,
  ...options
}: UrlCheckOptions & Pick<DownloadOptions, 'ca'> & { readonly timeoutMs?: number }): MediaSource {
  const download = createDownload(omitUndefined({ checkUrl: createUrlCheck(options), ca }));
  const opened = new WeakMap<object, FetchMedia>();

  const createFetch = (signal: AbortSignal): FetchMedia => {
    const known = new Map<string, Promise<Media>>();
    const budget: Budget = { left: imageLimits.total };
    const enqueue = createQueue(AT_ONCE);
    const failed = new AbortController();
    const fetchOne = async (url: string): Promise<Media> => {
      const deadline = AbortSignal.any([signal, failed.signal, AbortSignal.timeout(timeoutMs)]);
      try {
        deadline.throwIfAborted();
        return await collect(download(url, deadline), budget);
      } catch (thrown) {
        // One failed download fails the request: the others are aborted.
        failed.abort();
        if (signal.aborted) throw new GatewayError('client_closed', undefined, { cause: thrown });
        throw GatewayError.is(thrown) ? thrown : unfetched(thrown);
      }
    };
    return (url) => {
      const begun = known.get(url);
      if (begun !== undefined) return begun;
      if (known.size === MAX_URLS) return Promise.reject(refuse(`A request can have at most ${MAX_URLS} media URLs.`));
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
