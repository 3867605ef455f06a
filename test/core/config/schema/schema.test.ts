import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import { isObject } from '../../../../core/canonical/json/members.ts';
import { loadSchema } from '../../../../core/config/schema/load-schema.ts';
import { builtIns } from '../fixture-built-ins.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Every nested schema with its pointer. */
const walk = function* (value: unknown, pointer = '#'): Generator<readonly [string, Record<string, unknown>]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* walk(item, `${pointer}/${index}`);
  if (!isObject(value)) return;
  yield [pointer, value];
  for (const [key, member] of Object.entries(value))
    if (!['default', 'examples', 'enum', 'const'].includes(key)) yield* walk(member, `${pointer}/${key}`);
};

describe('the published schema', () => {
  const published: unknown = JSON.parse(read('gateway.schema.json'));
  const schemas = [...walk(published)];

  it('the shipped schema equals the output of `koine schema` for the built-ins', () => {
    const made = execFileSync(process.execPath, ['bin/koine.js', 'schema'], { cwd: root, encoding: 'utf8' });
    expect(made, 'run `npm run koine -- schema --write`').to.equal(read('gateway.schema.json'));
  });

  it('the schema describes every setting', () => {
    const settings = schemas.flatMap(([pointer, { properties }]) =>
      isObject(properties) && !/\/(if|then)$/.test(pointer)
        ? Object.entries(properties).map(([name, schema]) => [`${pointer} ${name}`, schema] as const)
        : [],
    );
    expect(settings.length).to.be.greaterThan(50);
    expect(
      settings
        .filter(([, schema]) => !isObject(schema) || typeof schema['description'] !== 'string')
        .map(([name]) => name),
    ).to.deep.equal([]);
  });

  it('the schema gives the default of every optional setting, as a value or in a description', () => {
    const silent = schemas.flatMap(([pointer, { properties, required, description }]) => {
      if (!isObject(properties) || /\/(if|then)$/.test(pointer)) return [];
      const mandatory = Array.isArray(required) ? required : [];
      const isDescribed = (text: unknown): boolean => /left out|empty|default|give (one|key)/i.test(String(text));
      return Object.entries(properties)
        .filter(
          ([name, setting]) =>
            !mandatory.includes(name) &&
            isObject(setting) &&
            setting['default'] === undefined &&
            !isDescribed(setting['description']) &&
            !isDescribed(description),
        )
        .map(([name]) => `${pointer} ${name}`);
    });
    expect(silent).to.deep.equal([]);
  });

  it('the schema refuses unknown settings in every section', () => {
    const open = schemas.filter(
      ([pointer, schema]) =>
        schema['properties'] !== undefined && schema['additionalProperties'] !== false && !/\/(if|then)$/.test(pointer),
    );
    expect(open.map(([pointer]) => pointer)).to.deep.equal([]);
  });

  it('the schema has only defaults that are valid by its own rules', () => {
    const ajv = new Ajv({ strict: false, schemas: isObject(published) ? { root: published } : {} });
    const wrong = schemas.filter(([pointer, schema]) => {
      if (schema['default'] === undefined || schema['type'] === 'object') return false;
      const validate = ajv.compile({ $ref: `root${pointer.replaceAll('%', '%25')}` });
      return !validate(schema['default']);
    });
    expect(wrong.map(([pointer]) => pointer)).to.deep.equal([]);
  });

  it('the schema accepts gateway.yaml before interpolation, as an editor reads it', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(isObject(published) ? published : false);
    validate(parse(read('gateway.yaml')));
    expect(validate.errors ?? []).to.deep.equal([]);
  });

  it('the schema accepts a variable in place of any value, and no invalid value', () => {
    const validate = new Ajv({ strict: false }).compile(isObject(published) ? published : false);
    const accepts = (text: string): boolean => validate(parse(text));
    for (const value of ['"${PORT}"', '"${PORT:-8787}"', '8787'])
      expect(accepts(`server: { port: ${value} }`), value).to.equal(true);
    expect(accepts('server: { port: "8787" }')).to.equal(false);
    expect(accepts('server: { requestTimeout: "${LONG:-5m}", workers: "${WORKERS}" }')).to.equal(true);
    expect(accepts('server: { requestTimeout: five }')).to.equal(false);
    expect(
      accepts(
        'providers: { near: { use: simulator, config: { words: "${WORDS}" }, fetchMedia: { enabled: "${FETCH}" } } }',
      ),
    ).to.equal(true);
    expect(accepts('providers: { near: { use: simulator, config: { words: many } } }')).to.equal(false);
    expect(
      accepts('plugins: [{ use: rate-limit, onError: "${MODE}", config: { onStoreFailure: "${MODE}" } }]'),
    ).to.equal(true);
    expect(accepts('providers: { "${NAME}": { use: simulator } }'), 'a key').to.equal(false);
  });

  it('the first line of gateway.yaml references the schema', () => {
    expect(read('gateway.yaml').split('\n')[0]).to.equal('# yaml-language-server: $schema=./gateway.schema.json');
  });

  it('the schema includes those of extensions, with their references relocated', async () => {
    const file = new URL('test/fixtures/extensions/good/gateway.yaml', root).pathname;
    const schema = await loadSchema(file, builtIns, {});
    const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);
    expect(validate({ plugins: [{ use: './index.ts', config: { place: 'there' } }] })).to.equal(true);
    expect(validate({ plugins: [{ use: './index.ts', config: { place: 'ther' } }] })).to.equal(false);
    expect(validate({ plugins: [{ use: 'counter', config: { place: 'there' } }] })).to.equal(false);
    expect(validate({ providers: { cloud: { use: 'vendor', config: { proxy: {} } } } })).to.equal(false);
  });
});
