import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { insertModels } from '../../../../core/config/write/insert-models.ts';
import { compareOffer } from '../../../../core/diagnostics/vendors/compare-offer.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import type { TestUpstream } from '../../../support/upstream.ts';
import { BAD, GOOD, startVendors } from '../doctor/vendors.ts';
import { runHere } from '../run-here.ts';
import { runKoine } from '../run-koine.ts';

describe('koine catalog sync', () => {
  let vendors: TestUpstream;
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  before(async () => {
    vendors = await startVendors();
  });
  beforeEach(() => writeFileSync(file, config()));
  after(async () => {
    folder.remove();
    await vendors.stop();
  });

  const config = (key = GOOD): string => `# A comment that stays.
server: { port: 0 }
providers:
  openai: { use: openai, config: { apiKey: ${key}, baseUrl: "${vendors.url}/openai/v1" } }
  anthropic: { use: anthropic, config: { apiKey: ${key}, baseUrl: "${vendors.url}/anthropic" } }
  google: { use: google, config: { apiKey: ${key}, baseUrl: "${vendors.url}/google" } }
  plain: { use: openai-compatible, config: { baseUrl: "${vendors.url}/plain/v1" } }
  bare: { use: openai-compatible, config: { baseUrl: "${vendors.url}/bare", paths: { models: /v1/models } } }
  simulator: { use: simulator }
models:
  openai/gpt-4.1:   # the first
    targets: [{ provider: openai, model: gpt-4.1 }]
    wires: [chat-completions, responses]
  openai/gpt-8:
    targets: [{ provider: openai, model: gpt-8 }]   # it is gone
  any/claude:
    targets: [{ provider: anthropic, model: claude-haiku-4-5 }, { provider: openai, model: gpt-8 }]

# The aliases.
aliases: { best: openai/gpt-4.1 }
`;
  const sync = (...args: readonly string[]) => runHere(['catalog', 'sync', ...args], { cwd: folder.path });

  it('proposes new models as YAML, with the wires of the others and what is known of the price', async () => {
    const { code, out, err } = await sync('openai');
    expect([code, err]).to.deep.equal([1, '']);
    expect(parse(out)).to.deep.equal({
      models: {
        'openai/gpt-9': {
          targets: [{ provider: 'openai', model: 'gpt-9' }],
          wires: ['chat-completions', 'responses'],
        },
        'openai/text-embedding-9': {
          targets: [{ provider: 'openai', model: 'text-embedding-9' }],
          wires: ['embed-content', 'embeddings'],
        },
        'openai/tts-9': { targets: [{ provider: 'openai', model: 'tts-9' }], wires: ['speech'] },
      },
    });
    expect(out)
      .to.include('openai lists 6 models. New: 3. Gone: 1. Ending: 1.')
      .and.include('#   gpt-8: target of openai/gpt-8, any/claude')
      .and.include('#   gpt-4.1 on 2027-03-31: target of openai/gpt-4.1')
      .and.include('gpt-4.1-2025-04-14')
      .and.include('gpt-9-realtime')
      .and.include('# No price is known: add price');
    expect(out).not.to.include(GOOD);
    expect(readFileSync(file, 'utf8')).to.equal(config());
  });

  it('proposes versions with a date with --all', async () => {
    const { out } = await sync('openai', '--all', '--format', 'json');
    const { new: models, dated } = JSON.parse(out) as { new: { model: string; price: unknown }[]; dated: string[] };
    expect(dated).to.deep.equal([]);
    expect(models.map(({ model, price }) => [model, price === 'unknown'])).to.deep.include([
      'openai/gpt-4.1-2025-04-14',
      false,
    ]);
  });

  it('reads all pages of a list, and the limits of models that nothing is shipped for', async () => {
    const anthropic = parse((await sync('anthropic')).out) as { models: Record<string, object> };
    expect(Object.keys(anthropic.models)).to.deep.equal(['anthropic/claude-opus-9', 'anthropic/claude-sonnet-9']);
    const google = parse((await sync('google')).out) as { models: Record<string, object> };
    expect(google.models['google/gemini-embedding-9']).to.deep.include({ wires: ['embed-content', 'embeddings'] });
    expect((parse((await sync('plain')).out) as { models: object }).models).to.deep.equal({
      'plain/org/big-9': {
        targets: [{ provider: 'plain', model: 'org/big-9' }],
        capabilities: { contextTokens: 32_768 },
      },
    });
    const bare = await sync('bare');
    expect((parse(bare.out) as { models: object }).models).to.have.all.keys('bare/org/chat-9', 'bare/org/picture-9');
  });

  it('adds the new models with --write and keeps all other text, in the real program', async () => {
    const { code, err } = await runKoine(['catalog', 'sync', 'anthropic', '--write'], { cwd: folder.path });
    expect(err).to.equal('Added to gateway.yaml: anthropic/claude-opus-9, anthropic/claude-sonnet-9.\n');
    expect(code).to.equal(0);
    const text = readFileSync(file, 'utf8');
    const added = text.split('\n').filter((line) => !config().split('\n').includes(line));
    expect(added.filter((line) => line.includes(':') && !line.includes('#'))).to.deep.equal([
      '  anthropic/claude-opus-9:',
      '    targets: [ { provider: anthropic, model: claude-opus-9 } ]',
      '    capabilities: { contextTokens: 200000, maxOutput: 64000 }',
      '  anthropic/claude-sonnet-9:',
      '    targets: [ { provider: anthropic, model: claude-sonnet-9 } ]',
      '    capabilities: { contextTokens: 200000, maxOutput: 64000 }',
    ]);
    expect(
      config()
        .split('\n')
        .every((line) => text.split('\n').includes(line)),
    ).to.equal(true);
    expect((await runHere(['check'], { cwd: folder.path })).code).to.equal(0);
    const again = await sync('anthropic', '--write');
    expect([again.code, again.err]).to.deep.equal([0, 'Nothing was added to gateway.yaml.\n']);
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });

  it('leaves a file as it is whose models are not a block, and says so', async () => {
    const text = config()
      .replace(/^models:[^]*?\n\n/m, 'models: { any/x: { targets: [{ provider: openai, model: x }] } }\n\n')
      .replace('best: openai/gpt-4.1', 'best: any/x');
    writeFileSync(file, text);
    const { code, err } = await sync('anthropic', '--write');
    expect(code).to.equal(2);
    expect(err).to.include('gateway.yaml is left as it is: its models are not a block');
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });

  it('a wildcard covers models, and those without a known price are named', async () => {
    writeFileSync(
      file,
      config().replace('  openai/gpt-8:\n', '  openai/*:\n').replace('model: gpt-8 }]   #', 'model: "*" }]   #'),
    );
    const { out } = await sync('openai', '--format', 'json');
    expect(JSON.parse(out)).to.deep.include({ new: [], unpriced: ['gpt-9', 'text-embedding-9', 'tts-9'] });
  });

  it('fails without a usable credential, list or provider, and says what to do', async () => {
    writeFileSync(file, config(BAD));
    const bad = await sync('openai');
    expect(bad.code).to.equal(1);
    expect(bad.err).to.include('The models of openai cannot be listed: Incorrect API key').and.not.include(BAD);
    writeFileSync(file, config('""'));
    for (const [args, message] of [
      [['openai'], 'The provider "openai" cannot be called: no API key is set'],
      [['simulator'], 'The provider "simulator" (simulator) has no list of models.'],
      [['opena'], 'Did you mean "openai"?'],
      [[], 'Name one provider'],
    ] as const) {
      const { code, err } = await sync(...args);
      expect(code).to.equal(2);
      expect(err).to.include(message);
    }
  });

  describe('an insertion', () => {
    const models = {
      entries: { 'a/new': { targets: [{ provider: 'a', model: 'new' }] } },
      write: (indent: string) => `${indent}a/new:\n${indent}${indent}targets: [{ provider: a, model: new }]\n`,
    };

    it('follows the last model at its indentation, whatever comes after it', () => {
      for (const text of [
        'models:\n    a/x:\n        targets: [{ provider: a, model: x }]',
        'models:\n  a/x:\n    targets:\n      - provider: a\n        model: x\n\n# a comment\nroutes: []\n',
        'providers: {}\n',
      ]) {
        const inserted = insertModels(text, models) ?? '';
        expect(parse(inserted)).to.have.nested.property('models.a/new.targets[0].model', 'new');
        expect(inserted.replaceAll(/^.*\n/gm, (line) => (text.includes(line.trimEnd()) ? line : '')).trim()).to.equal(
          text.trim(),
        );
      }
    });

    it('is refused where the models are not a block', () => {
      for (const text of ['models: {}\n', 'models:\n', 'models: { a/x: { targets: [] } }\n'])
        expect(insertModels(text, models)).to.equal(undefined);
    });
  });

  it('a name without a date stands for its version, but not the other way around', () => {
    const offer = [{ name: 'claude-haiku-4-5-20251001' }, { name: 'big@20250929' }, { name: 'small' }];
    const targets = ['claude-haiku-4-5', 'big', 'small-20250929'];
    expect(compareOffer(offer, targets)).to.deep.include({
      offered: ['claude-haiku-4-5', 'big'],
      gone: ['small-20250929'],
    });
  });
});
