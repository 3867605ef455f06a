import { join } from 'node:path';
import { hasPrograms, installOnce, installPackages, installPython } from './cache.ts';
import { isOwn, selectOperations, selectSections, testOperations, testSections } from './snippets.ts';
import { testAgents } from './agents.ts';
import { testFrameworks } from './frameworks/test-frameworks.ts';
import { testInteractions } from './frameworks/test-interactions.ts';

/** A first installation and the first build in Go take minutes. */
const LIMIT_MS = 1_200_000;
const javascript = selectSections((block) => block.language === 'ts' && !isOwn(block));
const of = (language: string) => selectSections((block) => block.language === language);

/** Blocks of docs/start/clients.md that need an installation. Not part of `npm test`: they need registries. */
describe('docs/start/clients.md with packages of npm (javascript)', function () {
  this.timeout(LIMIT_MS);
  const prepare = () => ({
    file: 'client.ts',
    command: process.execPath,
    words: ['client.ts'],
    links: [join(installPackages('javascript'), 'node_modules')],
  });
  testSections(javascript, prepare);
  testOperations(
    selectOperations((block) => !isOwn(block)),
    prepare,
  );
});

describe('docs/start/clients.md in Python (python)', function () {
  this.timeout(LIMIT_MS);
  before(function () {
    if (!hasPrograms('python3')) this.skip();
  });
  testSections(of('python'), () => ({
    file: 'client.py',
    command: join(installPython('python', 'requirements.txt'), 'venv/bin/python'),
    words: ['client.py'],
  }));
});

testInteractions(LIMIT_MS);

describe('docs/start/clients.md in Go (go)', function () {
  this.timeout(LIMIT_MS);
  before(function () {
    if (!hasPrograms('go')) this.skip();
  });
  testSections(of('go'), () => {
    const folder = installOnce('go', ['go.mod', 'go.sum'], [['go', 'mod', 'download']]);
    return {
      file: 'main.go',
      command: 'go',
      words: ['run', '.'],
      links: [join(folder, 'go.mod'), join(folder, 'go.sum')],
    };
  });
});

describe('docs/start/clients.md in Java (java)', function () {
  this.timeout(LIMIT_MS);
  before(function () {
    if (!hasPrograms('java', 'mvn')) this.skip();
  });
  testSections(of('java'), () => {
    const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
    const folder = installOnce('java', ['pom.xml'], [['mvn', ...copy]]);
    return { file: 'Main.java', command: 'java', words: ['-cp', join(folder, 'lib', '*'), 'Main.java'] };
  });
});

testAgents(LIMIT_MS);
testFrameworks(LIMIT_MS);
