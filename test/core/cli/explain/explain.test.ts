import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MisuseError } from '../../../../core/cli/command.ts';
import { explain } from '../../../../core/cli/explain/explain.ts';
import { callOf } from '../../../support/calls.ts';
import { builtIns } from '../../../support/gateway.ts';
import { send } from '../../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

interface Limit {
  readonly scope: string;
  readonly unit: string;
  readonly amount: number;
  readonly remaining?: number;
}
interface Explanation {
  readonly plugins: readonly {
    readonly use: string;
    readonly says?: { readonly store: string; readonly limits: readonly Limit[] };
  }[];
  readonly request: { readonly estimate: { readonly outputTokens: number } };
  readonly notes?: readonly string[];
}
const saysOf = ({ plugins }: Explanation) => plugins.find(({ use }) => use === 'rate-limit')?.says;
const all = [
  ['key', 'requests', 60],
  ['project', 'tokens', 1_000_000],
  ['organization', 'cost', 500],
];
const figuresOf = (explanation: Explanation) =>
  saysOf(explanation)?.limits.map(({ scope, unit, amount }) => [scope, unit, amount]);

describe('koine explain', () => {
  let folder: ServedFolder;
  before(() => {
    folder = createServedFolder();
  });
  after(() => folder.remove());

  it('lists every limit that would apply, without counts that are not available', async () => {
    const { code, out, err } = await folder.run('explain', '--key', 'alice', '--model', 'fast', '--format', 'json');
    expect([code, err]).to.deep.equal([0, '']);
    const explanation = JSON.parse(out) as Explanation;
    expect(figuresOf(explanation)).to.deep.equal(all);
    expect(saysOf(explanation)?.limits.some((limit) => 'remaining' in limit)).to.equal(false);
    expect(explanation.notes).to.have.length(1);
    expect(explanation.notes?.[0]).to.match(
      /^The counts of rate-limit so far are not available here.*POST \/admin\/explain/,
    );
  });

  it('the explanation does not repeat a secret that was given as a name', async () => {
    const secret = 'sk-proj-AbCdEfGh0123456789';
    for (const args of [
      ['--key', secret, '--model', 'fast'],
      ['--key', 'alice', '--model', secret],
    ]) {
      const { code, out, err } = await folder.run('explain', ...args);
      expect(code).to.equal(1);
      expect(out + err).to.not.contain('AbCdEfGh');
    }
  });

  it('koine explain prints the explanation as text', async () => {
    const { code, out } = await folder.runProgram(
      'explain',
      '--key',
      'alice',
      '--model',
      'fast',
      '--wire',
      'messages',
      '--stream',
    );
    expect(code).to.equal(0);
    const [head, plugins, targets, call, body] = out.split(
      /^plugins, in order$|^targets, in the order in which they would be tried$|^ +sends:$|^$(?=\n +\{)/m,
    );
    expect(head)
      .to.include('alice of acme/web, from the configuration')
      .and.include('simulator/chat (by its alias fast)')
      .and.include('wire messages, operation generate, streamed');
    expect(plugins)
      .to.include('1. auth  (built-in)  identify')
      .and.include('scope key, name alice, unit requests, amount 60, per 1m');
    expect(targets)
      .to.include('1. simulator/chat\n     lane: native, client and target speak messages\n')
      .and.include('price: per million tokens input 2, output 8');
    expect(call).to.include('POST http://simulator.invalid/');
    expect(body).to.include('"stream": true');
    expect(out).to.match(/\nnote: The counts of rate-limit so far are not available here.*\n$/);
  });

  it('koine explain explains the body of a file, and prints JSON', async () => {
    const file = join(tmpdir(), `koine-body-${process.pid}.json`);
    writeFileSync(file, '{"messages":[{"role":"user","content":"Hello"}],"max_tokens":9}');
    const { code, out } = await folder.run(
      'explain',
      '--key',
      'alice',
      '--model',
      'fast',
      '--wire',
      'chat-completions',
      '--body',
      file,
      '--format',
      'json',
    );
    expect(code).to.equal(0);
    expect((JSON.parse(out) as Explanation).request.estimate.outputTokens).to.equal(9);
  });

  it('koine explain exits with 1 if the request would be refused', async () => {
    const { code, out, err } = await folder.run('explain', '--key', 'narrow', '--model', 'fast');
    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.include('The key narrow may not use simulator/chat, only simulator/other*');
  });

  const misuses: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--key', 'alice'], /--key and --model/],
    [['--model', 'fast'], /--key and --model/],
    [['--key', 'alice', '--model', 'fast', '--format', 'xml'], /text or json/],
    [
      ['--key', 'alice', '--model', 'fast', '--operation', 'count'],
      /generate, embed, moderate, rerank, transcribe, translate, speak, image, count-tokens/,
    ],
    [['--key', 'alice', '--model', 'fast', '--body', 'none.json'], /none\.json cannot be read/],
  ];
  for (const [args, message] of misuses)
    it(`exits with 2 on "explain ${args.join(' ')}"`, async () => {
      const thrown: unknown = await explain(args, builtIns).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(MisuseError).with.property('message').that.matches(message);
    });

  describe('with Redis', () => {
    let redis: RedisServer;
    before(async function () {
      requireRedis(this);
      redis = await startRedis();
    });
    after(() => redis?.stop());

    it('koine explain shows the remaining limits of a running gateway', async () => {
      const shared = createServedFolder({ store: { database: 'sqlite:./data/koine.db', redis: redis.url } });
      const gateway = await shared.serve();
      try {
        expect((await send(gateway.data.url, callOf('chat', 'simulator/chat'))).status).to.equal(200);
        const { code, out } = await shared.run('explain', '--key', 'alice', '--model', 'fast', '--format', 'json');
        expect(code).to.equal(0);
        const explanation = JSON.parse(out) as Explanation;
        expect(saysOf(explanation)?.store).to.equal('redis');
        expect(saysOf(explanation)?.limits.find(({ unit }) => unit === 'requests')?.remaining).to.equal(59);
        expect(explanation).to.not.have.property('notes');
      } finally {
        gateway.cut();
        await gateway.stop();
        shared.remove();
      }
    });

    it('koine explain notes that Redis does not respond', async () => {
      const shared = createServedFolder({ store: { database: 'sqlite:./data/koine.db', redis: redis.url } });
      await redis.kill();
      try {
        const { code, out } = await shared.run('explain', '--key', 'alice', '--model', 'fast', '--format', 'json');
        expect(code).to.equal(0);
        const explanation = JSON.parse(out) as Explanation;
        expect(figuresOf(explanation)).to.deep.equal(all);
        expect(saysOf(explanation)?.limits.some((limit) => 'remaining' in limit)).to.equal(false);
        expect(explanation.notes?.[0]).to.include('store.redis does not respond');
      } finally {
        shared.remove();
      }
    });
  });
});
