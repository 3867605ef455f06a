import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listDifferences, writeChecksums } from '../../tools/release/dry/checksums.ts';
import { describeProvenance } from '../../tools/release/dry/provenance.ts';
import { createKey, sign, SIGNERS, VERIFY, verify, writeSigners } from '../../tools/release/dry/sign.ts';
import { root } from '../../tools/release/lockfile.ts';

const release = { commit: '0123abc', time: '1', version: '0.1.0' };

describe('the signature of a release', () => {
  let [folder, keys] = ['', ''];
  beforeEach(() => {
    [folder, keys] = [mkdtempSync(join(tmpdir(), 'koine-')), mkdtempSync(join(tmpdir(), 'koine-'))];
    writeFileSync(join(folder, 'koine-gateway-0.1.0.tgz'), 'the package');
    writeFileSync(join(folder, 'koine-chart-0.1.0.tgz'), 'the chart');
    writeFileSync(join(folder, 'provenance.json'), describeProvenance(folder, release));
    writeChecksums(folder);
    const key = createKey(keys);
    sign(folder, key);
    writeSigners(join(folder, SIGNERS), key);
  });
  afterEach(() => {
    for (const path of [folder, keys]) rmSync(path, { recursive: true });
  });

  it('is verified by the command of docs/operate/verify.md, for all files or some of them', () => {
    expect(readFileSync(join(root, 'docs/operate/verify.md'), 'utf8')).to.include(VERIFY);
    expect(verify(folder)).to.include('Good "koine-release" signature').and.include('koine-chart-0.1.0.tgz: OK');
    rmSync(join(folder, 'koine-chart-0.1.0.tgz'));
    expect(verify(folder)).to.include('koine-gateway-0.1.0.tgz: OK').and.not.include('chart');
  });

  it('is not that of a file that was changed, nor of changed hashes', () => {
    appendFileSync(join(folder, 'koine-gateway-0.1.0.tgz'), '!');
    expect(() => verify(folder)).to.throw('koine-gateway-0.1.0.tgz: FAILED');
    writeChecksums(folder);
    expect(() => verify(folder)).to.throw('Signature verification failed');
  });

  it('is not that of another key', () => {
    const other = mkdtempSync(join(tmpdir(), 'koine-'));
    writeSigners(join(folder, SIGNERS), createKey(other));
    rmSync(other, { recursive: true });
    expect(() => verify(folder)).to.throw(/Could not verify signature|Signature verification failed/);
  });

  it('comes with the commit and the hash of each file', () => {
    const { subject, predicate } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8')) as {
      readonly subject: readonly { readonly name: string }[];
      readonly predicate: object;
    };
    expect(subject.map(({ name }) => name)).to.deep.equal(['koine-chart-0.1.0.tgz', 'koine-gateway-0.1.0.tgz']);
    expect(JSON.stringify(predicate)).to.include('"gitCommit":"0123abc"');
    const digest = 'a'.repeat(64);
    expect(describeProvenance(folder, release, `node:24-slim@sha256:${digest}`)).to.include(`"sha256": "${digest}"`);
  });
});

describe('two builds of a release', () => {
  it('differ where a file has other bytes, or only one of them has it', () => {
    const [one, other] = [mkdtempSync(join(tmpdir(), 'koine-')), mkdtempSync(join(tmpdir(), 'koine-'))];
    for (const folder of [one, other]) writeFileSync(join(folder, 'same'), 'same');
    expect(listDifferences(one, other)).to.deep.equal([]);
    for (const [folder, text] of [
      [one, 'a'],
      [other, 'b'],
    ] as const)
      writeFileSync(join(folder, 'changed'), text);
    writeFileSync(join(other, 'added'), '');
    expect(listDifferences(one, other)).to.deep.equal(['added', 'changed']);
    for (const folder of [one, other]) rmSync(folder, { recursive: true });
  });
});
