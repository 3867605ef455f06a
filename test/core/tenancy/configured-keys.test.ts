import { expect } from 'chai';
import { isLinear } from '../../support/time/growth.ts';
import { createKeyDirectory } from '../../support/key-directory.ts';
import { digestKey } from '../../../core/tenancy/key-format.ts';
import { configureKey, configureOrganizations, createManualClock, findText } from './tenancy-setup.ts';

const clock = createManualClock();
const hexOf = (text: string): string => Buffer.from(digestKey(text)).toString('hex');
const emptyTable = { find: async () => undefined, readChanges: async () => ({ position: 0 }) };
const createDirectory = (keys: Parameters<typeof configureOrganizations>[0]) =>
  createKeyDirectory({ organizations: configureOrganizations(keys), table: emptyTable, clock });

describe('keys of the configuration', () => {
  it('finds keys synchronously by secret, and by digest in upper or lower case', () => {
    const directory = createDirectory({
      alice: configureKey({ key: 'plain secret', models: ['openai/*'] }),
      bob: configureKey({ sha256: hexOf('digested secret') }),
      carol: configureKey({ sha256: hexOf('shouted').toUpperCase(), disabled: true, expires: 77 }),
    });
    expect(findText(directory, 'plain secret')).to.deep.equal({
      caller: { key: 'alice', project: 'web', organization: 'acme', models: ['openai/*'] },
      digest: digestKey('plain secret'),
      disabled: false,
    });
    expect(findText(directory, 'digested secret')).to.have.nested.property('caller.key', 'bob');
    expect(findText(directory, 'shouted')).to.include({ disabled: true, expiresAt: 77 });
  });

  it('accepts a key with our tag and without our checksum', () => {
    expect(
      findText(createDirectory({ alice: configureKey({ key: 'koine_chosen_by_hand' }) }), 'koine_chosen_by_hand'),
    ).to.have.nested.property('caller.key', 'alice');
  });

  it('distinguishes keys with a long common prefix', async () => {
    const start = 'k'.repeat(500);
    const directory = createDirectory({
      one: configureKey({ key: `${start}1` }),
      two: configureKey({ key: `${start}2` }),
    });
    expect(findText(directory, `${start}1`)).to.have.nested.property('caller.key', 'one');
    expect(findText(directory, `${start}2`)).to.have.nested.property('caller.key', 'two');
    expect(await findText(directory, `${start}3`)).to.equal(undefined);
    expect(await findText(directory, start)).to.equal(undefined);
  });

  it('ignores empty keys, even two of them', async () => {
    const directory = createDirectory({ one: configureKey({ key: '' }), two: configureKey({ key: '' }) });
    expect(await findText(directory, '')).to.equal(undefined);
  });

  it('refuses two keys with the same secret, and names both', () => {
    expect(() => createDirectory({ one: configureKey({ key: 'same' }), two: configureKey({ sha256: hexOf('same') }) }))
      .to.throw(
        'organizations.acme.projects.web.keys.two has the same secret as organizations.acme.projects.web.keys.one',
      )
      .with.property('code', 'KOINE_CONFIG_INVALID');
  });

  it('refuses a sha256 that is not a digest, and names the key', () => {
    for (const sha256 of ['abc', 'g'.repeat(64), 'a'.repeat(63)]) {
      expect(() => createDirectory({ one: configureKey({ sha256 }) }))
        .to.throw('keys.one.sha256 is not a SHA-256 digest')
        .with.property('code', 'KOINE_CONFIG_INVALID');
    }
  });

  it('finds a key among many as fast as among few', async () => {
    const prepare = (size: number) => {
      const others = Array.from({ length: size }, (_, index): [string, ReturnType<typeof configureKey>] => [
        `key-${index}`,
        configureKey({ sha256: index.toString(16).padStart(64, '0') }),
      ]);
      return {
        size,
        directory: createDirectory({ ...Object.fromEntries(others), alice: configureKey({ key: 'secret' }) }),
      };
    };
    const findOften = ({ size, directory }: ReturnType<typeof prepare>): void => {
      for (let count = 0; count < size; count += 1) expect(findText(directory, 'secret')).to.not.equal(undefined);
    };
    expect(await isLinear(1_000, prepare, findOften)).to.equal(true);
  });
});
