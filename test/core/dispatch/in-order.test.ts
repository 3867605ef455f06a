import { expect } from 'chai';
import { inOrder } from '../../../core/dispatch/in-order.ts';
import { GatewayError, type AnyErrorCode, type Exchange, type Reply, type Target } from '../../../core/api/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { createTestExchange, createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from '../exchange/sample-exchange.ts';

const [a, b, c] = ['x/a', 'x/b', 'x/c'].map((id) => createTestTarget(id, { credentials: [`${id}-1`, `${id}-2`] })) as [
  Target,
  Target,
  Target,
];

describe('targets in order', () => {
  /** Which targets fail, and how; the others succeed. */
  const run = (
    targets: readonly Target[],
    failures: Readonly<Record<string, Error>> = {},
    stored: Pick<Exchange, 'stored'> = {},
  ) => {
    const tried: string[] = [];
    const pending = inOrder(createTestExchange({ targets, ...stored }), async (target, credential): Promise<Reply> => {
      tried.push(`${target.id} ${credential}`);
      const failure = failures[target.id];
      if (failure !== undefined) throw failure;
      return createReply(target);
    });
    return { tried, pending };
  };

  it('tries targets one after the other, each with its first key, until one responds', async () => {
    const { tried, pending } = run([a, b]);
    expect((await pending).target).to.equal(a);
    expect(tried).to.deep.equal(['x/a x/a-1']);
  });

  it('in-order skips targets without a key', async () => {
    const { tried, pending } = run([{ ...a, credentials: [] }, b]);
    expect((await pending).target).to.equal(b);
    expect(tried).to.deep.equal(['x/b x/b-1']);
  });

  it('tries only the credential that has what the request refers to', async () => {
    const place = { provider: b.provider, credential: 'x/b-2', path: 'previous_response_id' };
    const { tried, pending } = run([a, b, c], {}, { stored: { ids: ['resp_1'], place } });
    expect((await pending).target).to.equal(b);
    expect(tried).to.deep.equal(['x/b x/b-2']);
  });

  it('moves on from targets that cannot carry the request', async () => {
    const { tried, pending } = run([a, b, c], { 'x/a': new GatewayError('unsupported_parameter', 'no vision') });
    expect((await pending).target).to.equal(b);
    expect(tried).to.deep.equal(['x/a x/a-1', 'x/b x/b-1']);
  });

  it('throws the error of the first target if all targets are unsuitable', async () => {
    const { tried, pending } = run([a, b], {
      'x/a': new GatewayError('unsupported_parameter', 'no vision'),
      'x/b': new GatewayError('unsupported_parameter', 'no tools'),
    });
    expect(await catchRejection(pending)).to.include({
      code: 'unsupported_parameter',
      message: 'no vision',
      status: 400,
    });
    expect(tried).to.have.length(2);
  });

  const final: readonly AnyErrorCode[] = [
    'upstream_error',
    'upstream_overloaded',
    'upstream_rate_limit',
    'upstream_quota',
    'upstream_credential',
    'upstream_timeout',
    'upstream_unreachable',
    'upstream_reset',
    'invalid_request',
    'client_closed',
    'internal_error',
  ];
  for (const code of final) {
    it(`does not move on to the next target on ${code}`, async () => {
      const failure = new GatewayError(code);
      const { tried, pending } = run([a, b], { 'x/a': failure });
      expect(await catchRejection(pending)).to.equal(failure);
      expect(tried).to.deep.equal(['x/a x/a-1']);
    });
  }

  it('does not move on after a bug, which is an internal error with its cause', async () => {
    const bug = new TypeError('x is not a function');
    const { tried, pending } = run([a, b], { 'x/a': bug });
    const error = await catchRejection(pending);
    expect(error.code).to.equal('internal_error');
    expect(error.cause).to.equal(bug);
    expect(tried).to.have.length(1);
  });

  it('names each target with its reason if none can be used', async () => {
    const targets = [
      { ...a, credentials: [], unavailable: 'KEY_A is not set' },
      { ...b, credentials: [], unavailable: 'KEY_B is not set' },
      { ...c, credentials: [] },
    ];
    const { tried, pending } = run(targets);
    const error = await catchRejection(pending);
    expect(error).to.include({ code: 'no_target_available', status: 503 });
    expect(error.message)
      .to.include('vendor/model')
      .and.include('x/a: KEY_A is not set')
      .and.include('x/b: KEY_B is not set')
      .and.include('x/c: no credential can be used');
    expect(error.publicMessage, 'variables of the host are not a client’s business').to.not.include('KEY_A');
    expect(tried).to.deep.equal([]);
  });
});
