import { expect } from 'chai';
import { GatewayError, type Reply } from '../../../core/api/index.ts';
import { createTestTarget } from '../../../core/testing/index.ts';
import { alice, createFixture, failure, twoByTwo, type Fixture } from './setup.ts';

const single = [createTestTarget('one/a')];
const pair = [createTestTarget('one/a'), createTestTarget('two/b')];

const refused = (result: Reply | GatewayError): GatewayError => {
  if (GatewayError.is(result)) return result;
  throw new Error('it was answered');
};

describe('a retry', () => {
  it('retries a target before other targets, as often as configured', async () => {
    const fixture = createFixture({ retries: 2 }, { targets: pair });
    fixture.answers = { 'one/a': [failure('transient')], 'two/b': [failure('overloaded')] };
    expect(await fixture.trace()).to.deep.equal([
      'one/a key-1',
      'one/a key-1',
      'one/a key-1',
      'two/b key-1',
      'two/b key-1',
      'two/b key-1',
    ]);
    expect(fixture.fallbacks).to.deep.equal(['/v1/chat/completions one/a two/b transient']);
  });

  it('a retry waits for a random part of a bound that doubles up to the cap, and records the wait', async () => {
    const fixture = createFixture(
      { retries: 4, backoff: { base: '100ms', cap: '300ms' } },
      { targets: single, random: () => 0.25 },
    );
    fixture.answers = { 'one/a': [failure('transient')] };
    await fixture.run();
    expect(fixture.pauses).to.deep.equal([25, 50, 75, 75]);
    expect(fixture.details.map((details) => details?.waitedMs)).to.deep.equal([undefined, 25, 50, 75, 75]);
  });

  it('a retry waits for the retry-after of the vendor, if it is not above the cap', async () => {
    const fixture = createFixture({ backoff: { base: '100ms', cap: '3s' } }, { targets: pair });
    fixture.answers = { 'one/a': [failure('overloaded', { retryAfterMs: 2_000 }), 'ok'] };
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'one/a key-1']);
    expect(fixture.pauses).to.deep.equal([2_000]);
    const other = createFixture({ backoff: { base: '100ms', cap: '3s' } }, { targets: pair });
    other.answers = { 'one/a': [failure('overloaded', { retryAfterMs: 4_000 }), 'ok'] };
    expect(await other.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
  });

  it('retries are limited by the retry budget, which gains one retry for every five requests', async () => {
    const fixture = createFixture(
      { budget: { share: 0.2, free: 3 }, circuit: { calls: 1_000, consecutive: 0 } },
      { targets: single },
    );
    fixture.answers = { 'one/a': [failure('transient')] };
    const traces: number[] = [];
    for (let index = 0; index < 13; index += 1) traces.push((await fixture.trace()).length);
    expect(traces).to.deep.equal([2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1]);
  });

  it('uses a rate-limited credential again after its cooldown, when nothing else is left', async () => {
    const fixture = createFixture({}, { targets: pair });
    fixture.answers = { 'one/a': [failure('rate-limit', { retryAfterMs: 1_500 }), 'ok'], 'two/b': [failure('quota')] };
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'two/b key-1', 'one/a key-1']);
    expect(fixture.pauses).to.deep.equal([1_500]);
  });

  it('a retry is skipped if other requests have opened the circuit meanwhile', async () => {
    const fixture = createFixture({}, { targets: pair });
    const { circuit } = fixture.registry.health(pair[0]!, 'key-1').model.all;
    fixture.answers = { 'one/a': [failure('transient')] };
    const pending = fixture.trace();
    circuit.trip(fixture.clock.monotonic(), 'transient');
    expect(await pending).to.deep.equal(['one/a key-1', 'two/b key-1']);
  });

  it('retries never exceed the number of calls for one request', async () => {
    const fixture = createFixture({ retries: 5, attempts: 3 });
    fixture.answers = { 'one/a': [failure('transient')], 'two/b': [failure('transient')] };
    expect(await fixture.trace()).to.have.length(3);
  });

  it('does not count a target that cannot carry the request as a call', async () => {
    const fixture = createFixture({ attempts: 1 }, { targets: pair });
    fixture.answers = { 'one/a': [failure('unsuitable')] };
    expect(await fixture.trace()).to.deep.equal(['one/a key-1', 'two/b key-1']);
  });
});

describe('the final error', () => {
  it('the final error is the last failure, with the advice not to retry', async () => {
    const fixture = createFixture({ retries: 0 }, { targets: pair });
    fixture.answers = {
      'one/a': [failure('transient')],
      'two/b': [failure('overloaded', { headers: { 'x-other': '1' } })],
    };
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'upstream_overloaded', failure: 'overloaded', status: 503 });
    expect(error.headers).to.deep.equal({ 'x-other': '1', 'x-should-retry': 'false' });
  });

  it('the final error has no advice not to retry if adviseNoRetry is off', async () => {
    const fixture = createFixture({ retries: 0, adviseNoRetry: false }, { targets: pair });
    fixture.answers = { 'one/a': [failure('transient')], 'two/b': [failure('transient')] };
    expect(refused(await fixture.run()).headers).to.equal(undefined);
  });

  it('the final error has the earliest recovery time if all candidates are cooling down', async () => {
    const fixture = createFixture({}, { targets: pair });
    fixture.answers = { 'one/a': [failure('rate-limit', { retryAfterMs: 20_000 })], 'two/b': [failure('rate-limit')] };
    expect(refused(await fixture.run()), 'a call may be made all the same').to.include({
      code: 'upstream_rate_limit',
      retryAfterMs: 1_000,
    });
    for (let index = 0; index < 30; index += 1) await fixture.run();
    expect(refused(await fixture.run()), 'every call is refused').to.include({
      code: 'upstream_rate_limit',
      retryAfterMs: 10_000,
    });
  });

  it('the final error is the unchanged error for a fault of the caller', async () => {
    const fixture = createFixture({}, { targets: pair });
    const fault = failure('caller-fault', { status: 422 });
    fixture.answers = { 'one/a': [fault] };
    expect(refused(await fixture.run())).to.equal(fault);
    expect(fixture.calls).to.have.length(1);
  });

  it('the final error is the unchanged error for a fault of the gateway itself', async () => {
    const fixture = createFixture({}, { targets: pair });
    fixture.answers = { 'one/a': [new GatewayError('internal_error')] };
    expect(refused(await fixture.run()).code).to.equal('internal_error');
    expect(fixture.calls).to.have.length(1);
  });

  it('the final error is the first refusal if no target can carry the request', async () => {
    const fixture = createFixture({}, { targets: pair });
    const first = failure('unsuitable');
    fixture.answers = { 'one/a': [first], 'two/b': [failure('unsuitable')] };
    expect(refused(await fixture.run())).to.equal(first);
  });

  it('the final error is a 503 if there is no credential, with the reason of each target for the log', async () => {
    const fixture = createFixture(
      {},
      { targets: [createTestTarget('one/a', { credentials: [], unavailable: 'no API key is set' })] },
    );
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'no_target_available', status: 503, failure: 'credential' });
    expect(error.message).to.include('one/a: no API key is set');
    expect(error.publicMessage).to.not.include('one/a');
  });
});

describe('the deadline', () => {
  it('allows no retry whose pause would end after the deadline', async () => {
    const fixture = createFixture({ deadline: '1s', backoff: { base: '1s', cap: '1s' } }, { targets: pair });
    fixture.times = { 'one/a': 600 };
    fixture.answers = { 'one/a': [failure('transient')] };
    expect(await fixture.trace(), '500 ms do not fit into 400').to.deep.equal(['one/a key-1', 'two/b key-1']);
    expect(fixture.pauses).to.deep.equal([]);
  });

  it('the deadline ends the attempt in flight, with an error that counts the attempts and names no target', async () => {
    const fixture = createFixture({ deadline: '30ms', retries: 0, circuit: { calls: 1 } }, { targets: pair });
    const hang = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    fixture.answers = { 'one/a': [failure('overloaded')], 'two/b': [hang] };
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'upstream_timeout', status: 504 });
    expect(error.message).to.equal(
      'No response began within 0.03 s, the deadline of this gateway. 2 attempts were made; the last that ended ' +
        'failed: overloaded.',
    );
    expect(error.headers, 'an SDK would wait as long again').to.deep.equal({ 'x-should-retry': 'false' });
    expect(
      fixture.transitions.map(({ provider }) => provider),
      'it was not the fault of the second',
    ).to.deep.equal(['one']);
  });

  it('the deadline does not end a response that has begun', async () => {
    const fixture = createFixture({ deadline: '20ms' }, { targets: single });
    expect(GatewayError.is(await fixture.run())).to.equal(false);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(fixture.details[0]?.signal?.aborted).to.equal(false);
  });
});

describe('a client that leaves', () => {
  const leaving = (): { readonly controller: AbortController; readonly fixture: Fixture } => ({
    controller: new AbortController(),
    fixture: createFixture({}, { targets: pair }),
  });
  const gone = new GatewayError('client_closed');

  it('a client that leaves ends the attempt in flight, and no other is made', async () => {
    const { controller, fixture } = leaving();
    const hang = (signal: AbortSignal): Promise<never> => {
      queueMicrotask(() => controller.abort(gone));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    fixture.answers = { 'one/a': [hang] };
    expect(refused(await fixture.run({ signal: controller.signal })).code).to.equal('client_closed');
    expect(fixture.calls).to.have.length(1);
  });

  it('a client that leaves ends the pause before a retry', async () => {
    const { controller, fixture } = leaving();
    const fail = (): Promise<never> => {
      setImmediate(() => {});
      controller.abort(gone);
      return Promise.reject(failure('transient'));
    };
    fixture.answers = { 'one/a': [fail] };
    await fixture.run({ signal: controller.signal });
    expect(fixture.calls).to.have.length(1);
    expect(fixture.registry.health(pair[0]!, 'key-1').model.isTroubled ? 'open' : 'closed').to.equal('closed');
  });

  it('a client that leaves aborts a response that has begun', async () => {
    const { controller, fixture } = leaving();
    await fixture.run({ signal: controller.signal });
    controller.abort(gone);
    expect(fixture.details[0]?.signal?.reason).to.equal(gone);
  });
});

describe('when every target refuses calls', () => {
  /** Enough refusals to reduce the rate to one call per second. */
  const refusing = async (config: object, targets = single): Promise<Fixture> => {
    const fixture = createFixture({ budget: { free: 0 }, wait: '0s', ...config }, { targets });
    fixture.answers = Object.fromEntries(targets.map(({ id }) => [id, [failure('rate-limit')]]));
    for (let index = 0; index < 60; index += 1) {
      await fixture.run();
      fixture.clock.advance(index < 40 ? 1_000 : 0);
    }
    fixture.calls.length = 0;
    fixture.pauses.length = 0;
    return fixture;
  };

  it('makes a request wait for its place in the rate of calls, if the place comes soon', async () => {
    const fixture = await refusing({ wait: '2s' });
    fixture.answers = {};
    fixture.clock.advance(400);
    expect(await fixture.trace()).to.deep.equal(['one/a key-1']);
    expect(fixture.pauses).to.deep.equal([600]);
    expect(fixture.details.at(-1)?.waitedMs).to.equal(600);
  });

  it('refuses a request at once if its place comes late, with the error and the cooldown of the vendor', async () => {
    const fixture = await refusing({ wait: '500ms' });
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'upstream_rate_limit', status: 429, failure: 'rate-limit' });
    expect(error.retryAfterMs).to.be.within(1_000, 10_000);
    expect(error.headers).to.equal(undefined);
    expect([fixture.calls, fixture.pauses]).to.deep.equal([[], []]);
  });

  it('refuses a request at once if the deadline comes first', async () => {
    const fixture = await refusing({ wait: '5s', deadline: '800ms' });
    expect(refused(await fixture.run()).code).to.equal('upstream_rate_limit');
    expect(fixture.calls).to.deep.equal([]);
  });

  it('calls a target with a spent quota once in a second, then once in two, and so on', async () => {
    const fixture = createFixture({ wait: '0s' }, { targets: single });
    fixture.answers = { 'one/a': [failure('quota')] };
    const traces: number[] = [];
    for (let second = 0; second < 16; second += 1) {
      traces.push((await fixture.trace()).length);
      fixture.clock.advance(1_000);
    }
    expect(traces).to.deep.equal([1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(refused(await fixture.run())).to.include({ code: 'upstream_quota', status: 429 });
  });

  it('calls a target that refuses the credential only for probes', async () => {
    const fixture = createFixture({ wait: '0s' }, { targets: single });
    fixture.answers = { 'one/a': [failure('credential'), 'ok'] };
    await fixture.run();
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'no_target_available', status: 503, failure: 'credential', retryAfterMs: 1_000 });
    expect(error.message).to.include('one/a with key-1: the credential was refused (credential)');
    expect(fixture.calls).to.have.length(1);
    fixture.clock.advance(1_000);
    expect(await fixture.trace()).to.have.length(1);
  });

  it('calls a dead target less and less often, even if it is the only one', async () => {
    const fixture = createFixture({ retries: 0, wait: '0s' }, { targets: single });
    fixture.answers = { 'one/a': [failure('transient')] };
    for (let index = 0; index < 200; index += 1) {
      await fixture.run();
      fixture.clock.advance(50);
    }
    fixture.calls.length = 0;
    for (let index = 0; index < 200; index += 1) {
      await fixture.run();
      fixture.clock.advance(50);
    }
    expect(fixture.calls.length, 'in ten seconds').to.be.within(9, 21);
    await fixture.run();
    const error = refused(await fixture.run());
    expect(error).to.include({ code: 'no_target_available', status: 503, failure: 'overloaded' });
    expect(error.message).to.include('its circuit is open (transient)');
    expect(error.retryAfterMs).to.be.within(1, 1_000);
  });

  it('lets only the probes through to a recovering target, and sends the others elsewhere', async () => {
    const fixture = createFixture({ retries: 0, circuit: { calls: 1, probes: 2, open: '1s' } }, { targets: pair });
    const hang = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    fixture.answers = { 'one/a': [failure('transient'), hang] };
    await fixture.run();
    fixture.clock.advance(1_000);
    fixture.calls.length = 0;
    const client = new AbortController();
    const all = Array.from({ length: 10 }, () => fixture.run({ signal: client.signal }));
    await new Promise(setImmediate);
    expect(fixture.calls.filter((name) => name.startsWith('one/'))).to.have.length(2);
    expect(fixture.calls.filter((name) => name.startsWith('two/'))).to.have.length(8);
    client.abort(new GatewayError('client_closed'));
    await Promise.all(all);
  });

  it('makes other requests wait for the probe of a refused credential, for at most the configured time', async () => {
    const fixture = createFixture({ retries: 0, wait: '450ms' }, { targets: single });
    const hang = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    fixture.answers = { 'one/a': [failure('credential'), hang] };
    await fixture.run();
    fixture.clock.advance(1_000);
    const client = new AbortController();
    const probe = fixture.run({ signal: client.signal });
    expect(refused(await fixture.run()).code).to.equal('no_target_available');
    expect(fixture.pauses).to.deep.equal([100, 100, 100, 100]);
    client.abort(new GatewayError('client_closed'));
    await probe;
  });
});

describe('a response that breaks after it has begun', () => {
  for (const [reason, counts] of Object.entries({
    upstream_reset: true,
    upstream_error_event: true,
    truncated: true,
    idle_timeout: true,
    complete: false,
    client_closed: false,
    drain: false,
    max_duration: false,
  } as const)) {
    it(`${counts ? 'counts' : 'does not count'} the ending ${reason} as a failure`, () => {
      const fixture = createFixture({ circuit: { calls: 1 } });
      const [target] = twoByTwo;
      const health = fixture.registry.health(target!, 'key-1');
      fixture.recorder.interrupted(
        health,
        { reason: reason as 'truncated', usage: undefined, outputChars: 3 },
        fixture.attemptEnd(),
      );
      expect(health.model.own(alice)?.circuit.state ?? 'closed').to.equal(counts ? 'open' : 'closed');
    });
  }
});
