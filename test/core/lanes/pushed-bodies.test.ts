import { expect } from 'chai';
import { pushedBody, UpstreamBody, type BodySink } from '../../../core/lanes/upstream/body.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { GatewayError } from '../../../core/api/index.ts';
import { createBody } from './scripted-stream.ts';

/** A source that a test controls. */
class PlayedBody extends UpstreamBody {
  readonly calls: string[] = [];

  play(...texts: readonly string[]): void {
    for (const text of texts) this.arrived(Buffer.from(text));
  }
  finish(): void {
    this.ended();
  }
  break(error: unknown): void {
    this.failed(error);
  }
  protected hold(): void {
    this.calls.push('hold');
  }
  protected release(): void {
    this.calls.push('release');
  }
  protected drop(): void {
    this.calls.push('drop');
  }
}

/** Records what it receives. @param at actions on the body when a text arrives */
const createSink = (body: UpstreamBody, at: Readonly<Record<string, (body: UpstreamBody) => void>> = {}) => {
  const noted: string[] = [];
  const sink: BodySink = {
    data: (chunk) => {
      const text = Buffer.from(chunk).toString();
      noted.push(text);
      at[text]?.(body);
    },
    end: () => void noted.push('end'),
    fail: (error) => void noted.push(`fail ${(error as Error).message}`),
  };
  return { sink, noted };
};
const pause = (body: UpstreamBody): void => body.pause();

describe('a pushed body', () => {
  it('delivers chunks as they arrive, and first those that arrived before the reading began', () => {
    const body = new PlayedBody();
    body.play('a', 'b');
    const { sink, noted } = createSink(body);
    body.read(sink);
    expect(noted).to.deep.equal(['a', 'b']);
    body.play('c');
    body.finish();
    expect(noted).to.deep.equal(['a', 'b', 'c', 'end']);
  });

  it('delivers a body that has already ended before `read` returns', () => {
    const body = new PlayedBody();
    body.play('a');
    body.finish();
    const { sink, noted } = createSink(body);
    body.read(sink);
    expect(noted).to.deep.equal(['a', 'end']);
  });

  for (const [how, end, expectedEnd] of [
    ['its end', (body: PlayedBody) => body.finish(), 'end'],
    ['its failure', (body: PlayedBody) => body.break(new Error('reset')), 'fail reset'],
  ] as const) {
    it(`a pushed body keeps the order while it is paused: chunks first, then ${how}`, () => {
      const body = new PlayedBody();
      const { sink, noted } = createSink(body, { a: pause, b: pause });
      body.read(sink);
      body.play('a', 'b', 'c');
      end(body);
      expect(noted).to.deep.equal(['a']);
      body.resume();
      expect(noted).to.deep.equal(['a', 'b']);
      body.resume();
      expect(noted).to.deep.equal(['a', 'b', 'c', expectedEnd]);
    });
  }

  it('a pushed body pauses its source once 64 kB are buffered, and resumes it after the last buffered chunk', () => {
    const body = new PlayedBody();
    const { sink, noted } = createSink(body, { a: pause });
    body.read(sink);
    body.play('a');
    body.calls.length = 0;
    for (let count = 0; count < 63; count += 1) body.play('x'.repeat(1_024));
    expect(body.calls).to.deep.equal([]);
    body.play('x'.repeat(1_024), 'y', 'z');
    expect(body.calls).to.deep.equal(['hold']);
    body.resume();
    expect(body.calls).to.deep.equal(['hold', 'release']);
    expect(noted).to.have.length(67);
    body.pause();
    body.play('few');
    expect(body.calls).to.deep.equal(['hold', 'release']);
  });

  it('a pushed body keeps the order if chunks arrive while buffered ones are delivered', () => {
    const body = new PlayedBody();
    body.play('a', 'b');
    const { sink, noted } = createSink(body, { a: () => body.play('c') });
    body.read(sink);
    expect(noted).to.deep.equal(['a', 'b', 'c']);
  });

  it('a pushed body keeps its source paused until all buffered chunks are delivered, and can pause it again', () => {
    const body = new PlayedBody();
    const big = 'x'.repeat(70_000);
    const { sink } = createSink(body, { [big]: pause });
    body.read(sink);
    body.calls.length = 0;
    body.play(big, big);
    body.resume();
    expect(body.calls).to.deep.equal(['hold']);
    body.resume();
    body.play(big, big);
    expect(body.calls).to.deep.equal(['hold', 'release', 'hold']);
  });

  it('a pushed body delivers nothing after it was stopped, not even if the sink itself stops it', () => {
    const body = new PlayedBody();
    body.play('a', 'b');
    const { sink, noted } = createSink(body, { a: () => body.stop() });
    body.read(sink);
    body.play('c');
    body.finish();
    expect(noted).to.deep.equal(['a']);
    body.stop();
    expect(body.calls).to.deep.equal(['drop']);
  });

  it('a pushed body fails once, with the first failure', () => {
    const body = new PlayedBody();
    const { sink, noted } = createSink(body);
    body.read(sink);
    body.break(new Error('first'));
    body.break(new Error('second'));
    body.finish();
    expect(noted).to.deep.equal(['fail first']);
  });

  it('a pushed body can also be iterated, chunk by chunk, on demand', async () => {
    const body = new PlayedBody();
    body.play('a', 'b');
    const chunks = body[Symbol.asyncIterator]();
    const read = async (): Promise<string | undefined> => {
      const { done, value } = await chunks.next();
      return done === true ? undefined : Buffer.from(value as Uint8Array).toString();
    };
    expect(await read()).to.equal('a');
    body.play('c');
    body.break(new GatewayError('upstream_reset'));
    expect([await read(), await read()]).to.deep.equal(['b', 'c']);
    expect((await catchRejection(chunks.next())).code).to.equal('upstream_reset');
  });
});

describe('the body of a third-party transport', () => {
  it('reads a third-party body only while its chunks are consumed', async () => {
    const { body, state } = createBody(['a', 'b', 'c']);
    const pushed = pushedBody(body);
    const { sink, noted } = createSink(pushed, { b: pause });
    pushed.read(sink);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([noted, state.reads]).to.deep.equal([['a', 'b'], 2]);
    pushed.resume();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(noted).to.deep.equal(['a', 'b', 'c', 'end']);
  });

  it('releases a third-party body that is stopped while a chunk is pending, and delivers nothing more', async () => {
    const { body, state } = createBody(['a', 20, 'b']);
    const pushed = pushedBody(body);
    const { sink, noted } = createSink(pushed);
    pushed.read(sink);
    await new Promise((resolve) => setTimeout(resolve, 5));
    pushed.stop();
    expect(state.returned).to.equal(1);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(noted).to.deep.equal(['a']);
  });

  it('a pushed body fails with the error of the iterator of a third-party body', async () => {
    const pushed = pushedBody(createBody(['a', new Error('broken')]).body);
    const { sink, noted } = createSink(pushed);
    pushed.read(sink);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(noted).to.deep.equal(['a', 'fail broken']);
  });
});
