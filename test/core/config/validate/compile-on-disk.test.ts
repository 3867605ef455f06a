import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileOnDisk } from '../../../../core/config/validate/compile-on-disk.ts';
import { compileSchema } from '../../../../core/config/validate/validate.ts';

const folder = new URL('../../../../node_modules/.cache/koine-gateway/settings/', import.meta.url);
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

describe('a schema that a checkout compiles once for all processes', () => {
  after(() => {
    for (const file of ids.flatMap(filesOf)) rmSync(new URL(file, folder));
  });

  it('is one file, which a second use takes as it is', () => {
    const schema = newSchema();
    const [text, id] = [JSON.stringify(schema), schema.properties.id.const];
    const validate = compileOnDisk(text);
    expect(compileOnDisk(text)).to.equal(validate);
    const own = filesOf(id);
    expect(own).to.have.lengthOf(1);
    expect(createRequire(import.meta.url)(fileURLToPath(new URL(own[0]!, folder)))).to.equal(validate);
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
