import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileOnDisk } from '../../../../core/config/validate/compile-on-disk.ts';
import { compileSchema } from '../../../../core/config/validate/validate.ts';

const folder = pathToFileURL(`${getCompileCacheDir()}/settings/`);
/** The files of a schema. Those whose name is no hash are drafts of other processes. */
const filesOf = (id: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => /^[\da-f]{64}\.cjs$/.test(file))
    .filter((file) => readFileSync(new URL(file, folder), 'utf8').includes(id));

const ids: string[] = [];
/** A schema that no run before has compiled. */
const newSchema = () => {
  const id = randomUUID();
  ids.push(id);
  return {
    type: 'object',
    properties: { id: { const: id }, name: { type: 'string', minLength: 3 }, size: { default: 7 } },
    additionalProperties: false,
  };
};

describe('a schema that is compiled once for all processes', () => {
  after(() => {
    for (const file of ids.flatMap(filesOf)) rmSync(new URL(file, folder));
  });

  it('is one file, which a second use takes as it is', () => {
    const schema = newSchema();
    const [text, id] = [JSON.stringify(schema), schema.properties.id.const];
    compileOnDisk(text);
    const own = filesOf(id);
    expect(own).to.have.lengthOf(1);
    writeFileSync(new URL(own[0]!, folder), "module.exports = () => 'as it is';");
    expect(compileOnDisk(text)({})).to.equal('as it is');
  });

  for (const [what, damage] of [
    ['empty', () => ''],
    ['cut off', (code: string) => code.slice(0, code.length / 2)],
  ] as const)
    it(`is compiled again if its file is ${what}`, () => {
      const schema = newSchema();
      const text = JSON.stringify(schema);
      compileOnDisk(text);
      const file = new URL(filesOf(schema.properties.id.const)[0]!, folder);
      const code = readFileSync(file, 'utf8');
      writeFileSync(file, damage(code));
      expect(compileOnDisk(text)({ id: 'another' })).to.equal(false);
      expect(readFileSync(file, 'utf8')).to.equal(code);
    });

  it('is not kept by the process', () => {
    const { cache } = createRequire(import.meta.url);
    compileOnDisk(JSON.stringify(newSchema()));
    const before = Object.keys(cache).length;
    for (let times = 0; times < 5; times += 1) compileOnDisk(JSON.stringify(newSchema()));
    expect(Object.keys(cache)).to.have.lengthOf(before);
  });

  it('validates as the schema does that is compiled in the process', () => {
    const schema = newSchema();
    const [onDisk, inProcess] = [compileOnDisk(JSON.stringify(schema)), compileSchema(schema)];
    for (const data of [{}, { name: 'ab', other: 1 }, { id: 1 }]) {
      const [one, other] = [{ ...data }, { ...data }];
      expect(onDisk(one)).to.equal(inProcess(other));
      expect(onDisk.errors).to.deep.equal(inProcess.errors);
      expect(one).to.deep.equal(other);
    }
  });

  it('is no file if it is not valid', () => {
    const schema = newSchema();
    const [text, id] = [JSON.stringify({ ...schema, type: 'no-type' }), schema.properties.id.const];
    expect(() => compileOnDisk(text)).to.throw(/type/);
    expect(filesOf(id)).to.deep.equal([]);
  });
});
