import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { isNeeded, listTestFiles } from './files.ts';
import { isAffected } from './recorded.ts';
import { shuffle } from './shuffle.ts';

const laws = {
  chat: 'test/providers/openai/chat-completions/laws.test.ts',
  cohere: 'test/providers/cohere/laws.test.ts',
  ollama: 'test/providers/ollama/laws.test.ts',
  replay: 'test/recordings/replay.test.ts',
};
const affectedBy = (path: string): readonly string[] =>
  Object.entries(laws).flatMap(([wire, file]) => (isAffected(file, [path]) ? [wire] : []));

describe('the choice of tests', () => {
  it('a change of a codec, or of data beside it, runs the recorded laws of its wire, and of no other', () => {
    expect(affectedBy('providers/cohere/chat/usage.ts')).to.deep.equal(['cohere', 'replay']);
    expect(affectedBy('providers/ollama/prices.yaml')).to.deep.equal(['ollama', 'replay']);
    expect(affectedBy(laws.chat)).to.deep.equal(['chat']);
  });

  it('a change of a recording, a law, or code that all codecs use runs the recorded laws of all wires', () => {
    for (const path of [
      'test/fixtures/recordings/openai/text.json',
      'core/testing/laws/usage-rules.ts',
      'core/framing/sse.ts',
      'package-lock.json',
    ])
      expect(affectedBy(path), path).to.deep.equal(Object.keys(laws));
  });

  it('a change of a lane runs those that go through a gateway', () =>
    expect(affectedBy('core/lanes/native/relay.ts')).to.deep.equal(['replay']));

  it('a change of a gateway, a page or another test runs no recorded laws', () => {
    for (const path of ['core/server/primary/free-port.ts', 'docs/README.md', 'plugins/auth/index.ts'])
      expect(affectedBy(path), path).to.deep.equal([]);
  });

  it('an expensive file runs if it, what it imports of the tests, or data beside it has changed', () => {
    const file = 'test/ledger/background-faults.test.ts';
    for (const path of [file, 'test/ledger/background-scene.ts', 'test/support/until.ts', 'test/ledger/data.json'])
      expect(isNeeded(file, ['README.md', path]), path).to.equal(true);
    for (const path of ['core/exchange/settle.ts', 'test/ledger/kills.test.ts', 'test/dashboard/table.test.ts'])
      expect(isNeeded(file, [path]), path).to.equal(false);
    expect(isNeeded('test/hot-path/hot-path.alone.test.ts', ['core/exchange/settle.ts'])).to.equal(false);
    expect(isNeeded('test/core/exchange/admit.test.ts', [])).to.equal(true);
  });

  it('a folder runs all of its tests', () => {
    const { parallel, alone, unchanged } = listTestFiles(['test/ledger', 'test/hot-path'], false);
    expect(parallel).to.include('test/ledger/background-faults.test.ts');
    expect(alone).to.not.have.length(0);
    expect(unchanged).to.deep.equal([]);
  });

  it('all tests are every test file once, those that take longest first', () => {
    const { parallel, alone, unchanged } = listTestFiles([], true);
    expect(unchanged).to.deep.equal([]);
    const files = [...parallel, ...alone];
    expect(new Set(files).size).to.equal(files.length).and.to.be.greaterThan(800);
    // A file of the list that has another name by now is one of the others.
    const listed = readFileSync('test/run/expensive.txt', 'utf8').trim().split('\n').filter(existsSync);
    expect(listed.length).to.be.greaterThan(30);
    expect(parallel.slice(0, listed.length)).to.deep.equal(listed);
  });

  it('a seed gives the same order again, and another seed another order', () => {
    const list = Array.from({ length: 50 }, (_, index) => index);
    expect(shuffle(list, 7)).to.deep.equal(shuffle(list, 7)).and.to.have.members(list);
    expect(shuffle(list, 7)).to.not.deep.equal(list).and.to.not.deep.equal(shuffle(list, 8));
  });
});
