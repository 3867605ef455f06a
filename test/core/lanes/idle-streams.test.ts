import { expect } from 'chai';
import { sse } from '../../../core/framing/sse.ts';
import { GatewayError } from '../../../core/api/index.ts';
import type { EventDecoder, EventEncoder } from '../../../core/api/codec.ts';
import { Deadlines } from '../../../core/lanes/upstream/deadlines.ts';
import { Feed } from '../../../core/lanes/feed.ts';
import { Stopwatch } from '../../../core/lanes/upstream/stopwatch.ts';
import { openStreamReply } from '../../../core/lanes/stream-reply.ts';
import { TranslatedRelay } from '../../../core/lanes/translated/relay.ts';
import { pushedBody } from '../../../core/lanes/upstream/body.ts';
import { createTestTarget } from '../../../core/testing/index.ts';
import { createBody, frame } from './scripted-stream.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';

const decoder: EventDecoder = {
  push: ({ data }, emit) =>
    emit(data === 'end' ? { type: 'response-end' } : { type: 'part-delta', choice: 0, part: 0, text: data }),
  end: (emit) => emit({ type: 'error', error: new GatewayError('upstream_truncated') }),
};
const encoder: EventEncoder = { push: (event, write) => write(undefined, event.type) };

/** A stream with an idle timeout of 300 ms; only `shown` words pass the filter. */
const open = async (chunks: readonly (string | number)[], shown: RegExp) => {
  const { body } = createBody(chunks);
  const deadlines = new Deadlines({ firstByte: 60_000, idle: 300, total: 60_000 }, new AbortController().signal);
  deadlines.answered();
  const relay = new TranslatedRelay({
    sources: [
      {
        decoder,
        filter: {
          push: (event, emit) => (event.type !== 'part-delta' || shown.test(event.text) ? emit(event) : undefined),
        },
      },
    ],
    encoder,
    writer: sse.writer!,
  });
  const stopwatch = new Stopwatch();
  const feed = new Feed({ body: pushedBody(body), deadlines, framing: sse, relay, stopwatch });
  const attempt = { target: createTestTarget('vendor/model'), signal: new AbortController().signal, losses: [] };
  const reply = await openStreamReply({
    calls: [],
    feeds: [feed],
    relay,
    contentType: sse.contentType,
    lane: 'translated',
    attempt,
    stopwatch,
  });
  return { reply, deadlines };
};
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('idle time of a stream', () => {
  useSimulatedTime();

  it('a stream is not idle while a filter holds content back', async () => {
    const held = Array.from({ length: 10 }, () => [60, frame('held')]).flat();
    const { reply, deadlines } = await open([frame('shown'), ...held, frame('end')], /shown/);
    const ending = await reply.deliver({ write: () => undefined });
    expect(ending.reason).to.equal('complete');
    expect(deadlines.aborted).to.equal(false);
  });

  it('an upstream is not idle while the client does not read', async () => {
    const { reply, deadlines } = await open([frame('shown'), frame('shown'), 10, frame('end')], /shown/);
    const ending = await reply.deliver({ write: () => wait(450) });
    expect(ending.reason).to.equal('complete');
    expect(deadlines.aborted).to.equal(false);
  });

  it('a stream is idle while nothing arrives', async () => {
    const { reply, deadlines } = await open([frame('shown'), 700, frame('end')], /shown/);
    await reply.deliver({ write: () => undefined });
    expect(deadlines.reason).to.include({ code: 'upstream_timeout' });
  });

  it('stops counting idle time when the response has ended', async () => {
    const { reply, deadlines } = await open([frame('shown'), frame('end')], /shown/);
    await reply.deliver({ write: () => wait(10) });
    await wait(500);
    expect(deadlines.aborted).to.equal(false);
  });
});
