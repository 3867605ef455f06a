import type { FileKind } from '../../canonical/operation/upload.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { AttemptOf, Reply } from '../../contracts/attempt.ts';
import type { Frame, Framing } from '../../contracts/framing.ts';
import type { Tap } from '../../contracts/native.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Channel } from '../channel.ts';
import type { SeenResponse } from '../ending.ts';
import { Feed } from '../feed.ts';
import { createRelayState, type Relay } from '../relay.ts';
import { openStreamReply } from '../stream-reply.ts';
import { expectFile, isFile } from '../upstream/expect-stream.ts';
import type { Stopwatch } from '../upstream/stopwatch.ts';
import type { UpstreamResponse } from '../upstream/call.ts';

/** Each chunk is a frame. */
const chunks: Framing = {
  name: 'chunks',
  contentType: '',
  decoder: () => ({ push: (raw, emit) => emit({ event: undefined, data: '', raw }), end: () => {} }),
};

/** Passes the chunks of a file on as they arrive. The first byte commits. */
class FileRelay implements Relay {
  readonly state = createRelayState();
  readonly #tap: Tap;
  #waiting: Uint8Array[] = [];

  constructor(tap: Tap) {
    this.#tap = tap;
  }

  get seen(): SeenResponse {
    return this.#tap.observed;
  }

  push({ raw }: Frame): void {
    if (raw === undefined || raw.byteLength === 0) return;
    this.#waiting.push(raw);
    this.state.contents += 1;
    this.state.committed = true;
  }

  end(): void {
    if (this.state.committed) this.state.ended = true;
    else this.state.failure = new GatewayError('upstream_bad_response', 'The file that the provider sent is empty.');
  }

  isOver(): boolean {
    return this.state.ended;
  }

  fail(error: GatewayError): void {
    this.state.failure = error;
  }

  take(): Uint8Array | undefined {
    const [first, ...others] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting = [];
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }
}

/** A content type of the vendor with nothing in it but names: it becomes a header for the client. */
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/;

const contentTypeOf = (response: UpstreamResponse, kind: FileKind, usual: string): string => {
  const given = response.headers['content-type'] ?? '';
  return isFile(response, kind) && PLAIN_TYPE.test(given) ? given : usual;
};

/** A response that is a file: sent as it arrives, with the content type of the vendor. */
export async function passFile<O extends Operation>(
  attempt: AttemptOf<O>,
  channel: Channel<O>,
  response: UpstreamResponse,
  {
    kind,
    contentType,
    tap,
    stopwatch,
  }: {
    readonly kind: FileKind;
    /** For a vendor that names none. */
    readonly contentType: string;
    readonly tap: Tap;
    readonly stopwatch: Stopwatch;
  },
): Promise<Reply> {
  const refusal = expectFile(response, channel, kind);
  if (refusal !== undefined) await refusal;
  const relay = new FileRelay(tap);
  const reply = await openStreamReply({
    attempt,
    relay,
    stopwatch,
    feeds: [new Feed({ ...response, framing: chunks, relay, stopwatch })],
    calls: [response.call],
    contentType: contentTypeOf(response, kind, contentType),
    lane: 'native',
  });
  return { ...reply, isOpen: true };
}
