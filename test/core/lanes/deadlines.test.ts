import { expect } from 'chai';
import { Deadlines } from '../../../core/lanes/upstream/deadlines.ts';
import { GatewayError } from '../../../core/api/index.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';

const LONG = 60_000;
const none = new AbortController().signal;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Milliseconds until the deadline was missed, and what was missed. */
const missed = async (
  { signal }: Deadlines,
  since = performance.now(),
): Promise<{ readonly ms: number; readonly code: string; readonly message: string }> => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  const { code, message } = signal.reason as GatewayError;
  return { ms: performance.now() - since, code, message };
};
/** Calls a function every 20 ms until it is stopped. */
const every = (act: () => void): (() => void) => {
  const timer = setInterval(act, 20);
  return () => clearInterval(timer);
};

describe('deadlines of a call', () => {
  useSimulatedTime();

  it('ends a call that gets no response in time', async () => {
    const { ms, code, message } = await missed(new Deadlines({ firstByte: 80, idle: LONG, total: LONG }, none));
    expect(ms).to.equal(80);
    expect({ code, message }).to.deep.equal({
      code: 'upstream_timeout',
      message: 'The provider did not begin to respond in time.',
    });
  });

  it('ends a response that is idle for too long', async () => {
    const deadlines = new Deadlines({ firstByte: LONG, idle: 80, total: LONG }, none);
    deadlines.answered();
    expect(await missed(deadlines)).to.include({
      code: 'upstream_timeout',
      message: 'The provider stopped sending in the middle of its response.',
    });
  });

  it('restarts the idle timeout for any bytes before the first content, and only for content after it', async () => {
    const deadlines = new Deadlines({ firstByte: LONG, idle: 200, total: LONG }, none);
    deadlines.answered();
    const stop = every(() => deadlines.received(1));
    await wait(500);
    expect(deadlines.signal.aborted).to.equal(false);
    const since = performance.now();
    deadlines.receivedContent(1);
    const { ms, code } = await missed(deadlines, since);
    stop();
    expect(code).to.equal('upstream_timeout');
    expect(ms).to.equal(200);
  });

  it('does not end a response that makes progress', async () => {
    const deadlines = new Deadlines({ firstByte: 200, firstContent: 200, idle: 200, total: LONG }, none);
    deadlines.answered();
    const stop = every(() => deadlines.receivedContent(1));
    await wait(600);
    stop();
    deadlines.stop();
    expect(deadlines.signal.aborted).to.equal(false);
  });

  it('ends a stream that sends keepalives and no content', async () => {
    const deadlines = new Deadlines({ firstByte: LONG, firstContent: 150, idle: LONG, total: LONG }, none);
    deadlines.answered();
    const stop = every(() => deadlines.received(1));
    expect(await missed(deadlines)).to.include({
      code: 'upstream_timeout',
      message: 'The provider sent no content in time.',
    });
    stop();
  });

  it('ends a call that exceeds the total timeout, with content or without', async () => {
    const deadlines = new Deadlines({ firstByte: LONG, idle: LONG, total: 150 }, none);
    deadlines.answered();
    const stop = every(() => deadlines.receivedContent(1));
    expect(await missed(deadlines)).to.include({ code: 'upstream_too_long' });
    stop();
  });

  it('does not count the time in which the client does not read as idle', async () => {
    const deadlines = new Deadlines({ firstByte: LONG, idle: 100, total: LONG }, none);
    deadlines.answered();
    deadlines.receivedContent(1);
    deadlines.pause();
    await wait(300);
    expect(deadlines.signal.aborted).to.equal(false);
    const since = performance.now();
    deadlines.resume();
    expect((await missed(deadlines, since)).ms).to.equal(100);
  });

  it('aborts with the reason of the attempt, also if the attempt was aborted before', async () => {
    const reason = new GatewayError('client_closed');
    const controller = new AbortController();
    const deadlines = new Deadlines({ firstByte: LONG, idle: LONG, total: LONG }, controller.signal);
    controller.abort(reason);
    expect(deadlines.signal.reason).to.equal(reason);
    expect(new Deadlines({ firstByte: LONG, idle: LONG, total: LONG }, controller.signal).signal.reason).to.equal(
      reason,
    );
  });

  it('a deadline does nothing after it was stopped', async () => {
    const controller = new AbortController();
    const deadlines = new Deadlines({ firstByte: 50, idle: 50, total: 50 }, controller.signal);
    deadlines.stop();
    deadlines.resume();
    controller.abort(new GatewayError('client_closed'));
    await wait(150);
    expect(deadlines.signal.aborted).to.equal(false);
  });
});
