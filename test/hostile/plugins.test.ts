import { expect } from 'chai';
import { GatewayError, type Admission, type Caller, type Outcome, type Reply } from '../../core/api/index.ts';
import { untilText } from '../matrix/vendors/breaks.ts';
import { goodDay } from '../matrix/sample-bodies.ts';
import { framesOf } from '../matrix/vendors/vendors.ts';
import { wires } from '../matrix/wires.ts';
import { askAdmin, readJson } from '../support/admin.ts';
import { callOf, greet, streamEnds } from '../support/calls.ts';
import { until } from '../support/until.ts';
import { readError, send, type HttpReply } from '../support/http.ts';
import { CHAT, modelIds } from '../support/scene.ts';
import {
  createMisbehavingPlugin,
  failures,
  garbage,
  INSIDE,
  LATE_MS,
  type Misbehaviour,
} from './support/misbehaving-plugin.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

type Action = 'fail' | 'skip';
type Hooks = Misbehaviour['hooks'];

const lie = <T>(value: unknown): T => value as T;
/** What a hook does, by its description. */
type Ways = Readonly<Record<string, Hooks>>;
const ways = (kinds: Readonly<Record<string, <T>() => T>>, hooks: (misbehave: <T>() => T) => Hooks): Ways =>
  Object.fromEntries(Object.entries(kinds).map(([name, misbehave]) => [name, hooks(misbehave)]));

const asked: Readonly<Record<'identify' | 'enter' | 'admit' | 'fits', Ways>> = {
  identify: {
    ...ways({ ...failures, ...garbage }, (misbehave) => ({ identify: () => misbehave() })),
    'returns a caller without a project': { identify: () => lie<Caller>({ key: 'a', organization: 'b', models: [] }) },
  },
  enter: {
    ...ways({ ...failures, ...garbage }, (misbehave) => ({ enter: () => misbehave() })),
    'returns a settle that is not a function': { enter: () => lie<Admission>({ settle: 'later' }) },
  },
  admit: {
    ...ways({ ...failures, ...garbage }, (misbehave) => ({ admit: () => misbehave() })),
    'returns a settle that is not a function': { admit: () => lie<Admission>({ settle: 'later' }) },
    'returns invalid headers': { admit: () => lie<Admission>({ headers: 7 }) },
    'returns invalid limits': { admit: () => lie<Admission>({ limits: 'few' }) },
  },
  fits: ways({ ...failures, ...garbage }, (misbehave) => ({ fit: () => misbehave() })),
};

/** Hooks that run before others. */
const around: Readonly<Record<'middleware' | 'interceptor', Ways>> = {
  middleware: {
    ...ways(failures, (misbehave) => ({ middleware: () => misbehave() })),
  },
  interceptor: {
    ...ways({ ...failures, ...garbage }, (misbehave) => ({ interceptor: () => () => misbehave() })),
    'throws after it has its reply': {
      interceptor: (next) => async (attempt) => {
        await next(attempt);
        throw new Error(INSIDE);
      },
    },
    'keeps its reply to itself': {
      interceptor: (next) => async (attempt) => {
        await next(attempt);
        return new Promise<Reply>(() => {});
      },
    },
    'returns an invalid status': {
      interceptor: (next) => async (attempt) => ({ ...(await next(attempt)), status: lie<number>('fine') }),
    },
    'returns invalid losses': {
      interceptor: (next) => async (attempt) => ({ ...(await next(attempt)), losses: lie<Reply['losses']>('few') }),
    },
    'returns invalid headers': {
      interceptor: (next) => async (attempt) => ({ ...(await next(attempt)), headers: lie<Reply['headers']>(7) }),
    },
    'never delivers': {
      interceptor: (next) => async (attempt) => ({ ...(await next(attempt)), deliver: () => new Promise(() => {}) }),
    },
    'throws in deliver': {
      interceptor: (next) => async (attempt) => ({
        ...(await next(attempt)),
        deliver: () => {
          throw new Error(INSIDE);
        },
      }),
    },
    'returns nothing': { interceptor: (next) => async (attempt) => lie<Reply>(void (await next(attempt))) },
  },
};

/** Hooks after which there is nothing left to refuse. */
const afterwards: Readonly<Record<'settle' | 'observe', Ways>> = {
  settle: ways(failures, (misbehave) => ({ admit: () => ({ settle: () => misbehave() }) })),
  observe: ways(failures, (misbehave) => ({ observe: () => misbehave() })),
};

for (const action of ['fail', 'skip'] as const satisfies readonly Action[]) {
  describe(`a plugin that misbehaves, onError: ${action}`, () => {
    const misbehaviour: Misbehaviour = { hooks: {} };
    let scene: WatchedScene;
    before(async () => {
      scene = await startWatched({
        plugins: [
          {
            definition: createMisbehavingPlugin('misbehaving', misbehaviour),
            settings: { timeout: '80ms', onError: action },
          },
        ],
      });
      scene.upstream.answer = greet;
    });
    afterEach(async () => {
      misbehaviour.hooks = {};
      await scene.check();
    });
    after(() => scene.stop(/^a plugin failed: /));

    const post = (wire: keyof typeof modelIds = 'chat', stream = false): Promise<HttpReply> =>
      send(scene.gateway.url, callOf(wire, modelIds[wire], { stream }));
    const failuresSince = (since: number) =>
      scene.gateway.lines
        .slice(since)
        .filter(({ text }) => text === 'a plugin failed')
        .map(({ fields: { plugin, hook, action: taken } }) => ({ plugin, hook, action: taken }));

    const failed: Record<string, number> = {};

    /** One request while the plugin misbehaves, one after it, and the log lines. */
    const misbehave = async (hook: string, hooks: Hooks, taken: Action): Promise<HttpReply> => {
      const since = scene.gateway.lines.length;
      failed[hook] = (failed[hook] ?? 0) + 1;
      misbehaviour.hooks = hooks;
      const reply = await post();
      await until('the plugin is named', () => failuresSince(since).length > 0);
      misbehaviour.hooks = {};
      expect(failuresSince(since)).to.deep.equal([{ plugin: 'misbehaving', hook, action: taken }]);
      expect((await post()).status, 'the next request').to.equal(200);
      return reply;
    };

    for (const [hook, kinds] of Object.entries({ ...asked, ...around })) {
      for (const [name, hooks] of Object.entries(kinds)) {
        it(`${hook} ${name}: ${action === 'fail' ? 'responds 500 without details' : 'continues without the hook'}`, async () => {
          const reply = await misbehave(hook, hooks, action);
          expect(reply.status, reply.text).to.equal(action === 'fail' ? 500 : 200);
          expect(reply.text).to.not.include(INSIDE).and.not.include('misbehaving');
        });
      }
    }
    for (const [hook, kinds] of Object.entries(afterwards)) {
      for (const [name, hooks] of Object.entries(kinds)) {
        it(`${hook} ${name}: keeps the response`, async () => {
          expect((await misbehave(hook, hooks, 'skip')).status).to.equal(200);
        });
      }
    }

    it(`counts every failure under its hook, and measures every hook, onError: ${action}`, async () => {
      expect(Object.keys(failed)).to.have.members([
        ...Object.keys(asked),
        ...Object.keys(around),
        ...Object.keys(afterwards),
      ]);
      for (const [hook, count] of Object.entries(failed)) {
        expect(await scene.figure('koine_plugin_errors_total', { plugin: 'misbehaving', hook }), hook).to.equal(count);
        expect(
          await scene.figure('koine_plugin_duration_seconds_count', { plugin: 'misbehaving', hook }),
          hook,
        ).to.be.at.least(count);
      }
    });

    for (const wire of wires) {
      it(`${action === 'fail' ? 'sends an error that a client can read' : 'hides the failure from a client'} of ${wire}, plain and streamed`, async () => {
        misbehaviour.hooks = { admit: () => Promise.reject(new Error(INSIDE)) };
        for (const stream of [false, true]) {
          const reply = await post(wire, stream);
          expect(reply.status).to.equal(action === 'fail' ? 500 : 200);
          if (action === 'fail')
            expect(readError(reply).error.message).to.equal('The gateway failed to handle this request.');
        }
      });
    }

    it('keeps a refusal on purpose, and does not count it as a failure of the plugin', async () => {
      const since = scene.gateway.lines.length;
      misbehaviour.hooks = {
        admit: () => Promise.reject(new GatewayError('rate_limit_exceeded', 'Rate limit exceeded: one is enough.')),
      };
      expect((await post()).status).to.equal(429);
      misbehaviour.hooks = {
        identify: () => {
          throw new GatewayError('invalid_api_key');
        },
      };
      expect((await post()).status).to.equal(401);
      misbehaviour.hooks = {
        middleware: () => Promise.reject(Object.assign(new Error('Not from there.'), { status: 403 })),
      };
      expect((await post()).status).to.equal(403);
      misbehaviour.hooks = { interceptor: () => () => Promise.reject(new GatewayError('content_filter', 'Not this.')) };
      expect((await post()).status).to.equal(400);
      expect(failuresSince(since)).to.deep.equal([]);
    });

    it('does not count failures of inner layers as failures of the plugin', async () => {
      const since = scene.gateway.lines.length;
      scene.upstream.answer = (response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
      misbehaviour.hooks = {
        interceptor: (next) => async (attempt) => next(attempt),
        middleware: async (_context, next) => next(),
      };
      expect((await post()).status).to.equal(400);
      scene.upstream.answer = greet;
      expect(failuresSince(since)).to.deep.equal([]);
    });

    it('settles a late admission at once, and only once', async () => {
      const settled: Outcome[] = [];
      const late = Promise.withResolvers<Admission>();
      misbehaviour.hooks = { admit: () => late.promise };
      expect((await post()).status).to.equal(action === 'fail' ? 500 : 200);
      expect(settled).to.deep.equal([]);
      late.resolve({ settle: (outcome) => void settled.push(outcome) });
      await until('the late admission is settled', () => settled.length > 0);
      expect(settled.map(({ result, attempts }) => ({ result, attempts }))).to.deep.equal([
        { result: 'gateway_error', attempts: [] },
      ]);
    });

    it('does not count the time of inner layers as time of the plugin', async () => {
      const since = scene.gateway.lines.length;
      const slow = new Promise<void>((resolve) => setTimeout(resolve, LATE_MS));
      scene.upstream.answer = async (response, call) => {
        await slow;
        await greet(response, call);
      };
      misbehaviour.hooks = {
        middleware: async (_context, next) => next(),
        interceptor: (next) => async (attempt) => ({ ...(await next(attempt)) }),
      };
      expect((await post()).status).to.equal(200);
      scene.upstream.answer = greet;
      expect(failuresSince(since)).to.deep.equal([]);
    });

    it('releases the upstream of a reply that the plugin keeps if the request is refused, and else delivers the reply', async () => {
      const { count } = scene.upstream.cut;
      const frames = framesOf('chat', goodDay);
      scene.upstream.answer = (response) => {
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(frames.slice(0, untilText.chat).join(''));
        if (action === 'skip') response.end(frames.slice(untilText.chat).join(''));
      };
      misbehaviour.hooks = { interceptor: (next) => async (attempt) => lie<Reply>(void (await next(attempt))) };
      const { status, text } = await post('chat', true);
      scene.upstream.answer = greet;
      expect(status).to.equal(action === 'fail' ? 500 : 200);
      if (action === 'fail') await until('the upstream is cut off', () => scene.upstream.cut.count === count + 1);
      else expect(text).to.match(streamEnds.chat);
    });

    it('responds once if a middleware calls next twice, and logs its name', async () => {
      const since = scene.gateway.lines.length;
      misbehaviour.hooks = {
        middleware: async (_context, next) => {
          await next();
          await next();
        },
      };
      expect((await post()).status).to.equal(200);
      await until('it is named', () => failuresSince(since).length > 0);
      expect(failuresSince(since)).to.deep.equal([{ plugin: 'misbehaving', hook: 'middleware', action }]);
    });

    it('the explanation names a plugin that fails to respond in time', async () => {
      misbehaviour.hooks = { explain: () => new Promise(() => {}) };
      const { plugins } = readJson<{ plugins: readonly { readonly use: string; readonly failed?: string }[] }>(
        await askAdmin(scene.gateway, 'POST', '/admin/explain', { key: 'alice', model: CHAT }),
      );
      expect(plugins.find(({ use }) => use === 'misbehaving')?.failed).to.match(
        /^The plugin misbehaving failed in explain: it did not finish within 80 ms/,
      );
    });

    it('logs how long a plugin blocked the event loop, and still responds', async () => {
      const since = scene.gateway.lines.length;
      misbehaviour.hooks = {
        admit: () => {
          for (const begin = performance.now(); performance.now() - begin < 700;);
          return undefined;
        },
      };
      const stood = () =>
        scene.gateway.lines.slice(since).find(({ text }) => text.startsWith('the event loop was blocked'));
      // There is one line in some seconds, and a busy machine may have caused one just before.
      await until('the log says so', async () => {
        expect((await post()).status).to.equal(200);
        return stood() !== undefined;
      });
      expect(Number(stood()?.fields['ms'])).to.be.at.least(250);
    });
  });
}
