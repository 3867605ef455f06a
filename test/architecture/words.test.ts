import { expect } from 'chai';
import { basename } from 'node:path';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import { sourceFiles } from './source-files.ts';

const codecs = [anthropic, google, openai].flatMap((provider) => provider.codecs ?? []);

describe('source files', () => {
  it('files in core do not name vendors', () => {
    const listed = new Set(['core/built-ins.ts', 'core/testing/gateway/defaults.ts']);
    const names = /['"`](?:openai|anthropic|google|gemini|azure|bedrock|vertex|simulator|failover|ledger)['"`]/i;
    const wrong = sourceFiles.filter(
      ({ path, text }) => path.startsWith('core/') && !listed.has(path) && names.test(text),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('files in core name wires only where wires are listed, and in no rule', () => {
    const listed = new Set([
      'core/canonical/wire.ts', // the type that completes the names
      'core/canonical/operation/operations.ts', // the names that OpenTelemetry has for operations
      'core/catalog/agent-set-ups.ts', // the settings of coding agents
      'core/config/schema/route.ts', // the addresses of the default routes
      'core/testing/exchange.ts', // the request of a unit test
      'core/fits/support/field-name.ts', // no wire: the member `messages`
    ]);
    const wires = codecs.map(({ wire }) => wire);
    expect(wires).to.include.members([
      'chat-completions',
      'messages',
      'responses',
      'generate-content',
      'embeddings',
      'embed-content',
    ]);
    // `"messages":` is a member in the text of a sample call.
    const names = new RegExp(`(['"\`])(?:${wires.join('|')}|converse)\\1(?<!"(?=:))`);
    const wrong = sourceFiles.filter(
      ({ path, code }) => path.startsWith('core/') && !listed.has(path) && names.test(code),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('files name usage members of vendors only in codecs and in the reader of bills', () => {
    const spelt = /\b(?:prompt_tokens|completion_tokens|cache_read_input_tokens|promptTokenCount)/;
    const theirs = ['providers/', 'plugins/ledger/reconcile/formats/'];
    const wrong = sourceFiles.filter(
      ({ path, text }) => !theirs.some((place) => path.startsWith(place)) && spelt.test(text),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  it('files do not disable type checks', () => {
    const wrong = sourceFiles.flatMap(({ path, text }) =>
      /(?::\s*any\b|\bas any\b|<any>|as unknown as|@ts-(?:ignore|expect-error|nocheck)|TODO|FIXME|XXX)/.test(text)
        ? [path]
        : [],
    );
    expect(wrong).to.deep.equal([]);
  });

  it('no file is named utils, helpers or common', () => {
    const bags = sourceFiles.filter(({ path }) =>
      /^(?:utils?|helpers?|common|misc|types|globals)\.ts$/.test(basename(path)),
    );
    expect(bags.map(({ path }) => path)).to.deep.equal([]);
  });

  it('no file has more than 250 lines', () => {
    const long = sourceFiles
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > 250);
    expect(long).to.deep.equal([]);
  });
});
