import { expect } from 'chai';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';
import { writeWav } from '../e2e/operations/audio.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { KEY, startPageGateway, type PageGateway } from './gateway.ts';
import { readPage, type Block, type Section } from './read-page.ts';
import { run } from './run.ts';

const PAGE = 'docs/start/clients.md';

/** How the blocks of a language run. */
export interface Runner {
  /** The file of the block. */
  readonly file: string;
  readonly command: string;
  readonly words: readonly string[];
  /** Files and folders that the block needs beside it. */
  readonly links?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const PACKAGE = /^import .* from '(@[^/']+\/[^/']+|[^/']+)/gm;
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: object;
};
/** Whether a block in TypeScript needs only Node and packages of this project. */
export const isOwn = ({ text }: Block): boolean =>
  [...text.matchAll(PACKAGE)].every(([, name = '']) => isBuiltin(name) || Object.hasOwn(devDependencies, name));

const OTHERS = 'Other operations: ';

/** The sections about generation with a block that is selected. */
export const selectSections = (isSelected: (block: Block) => boolean): readonly Section[] =>
  select(isSelected).filter(({ title }) => !title.startsWith(OTHERS));

/** The sections about other operations with a block that is selected. */
export const selectOperations = (isSelected: (block: Block) => boolean): readonly Section[] =>
  select(isSelected).filter(({ title }) => title.startsWith(OTHERS));

const select = (isSelected: (block: Block) => boolean): readonly Section[] =>
  readPage(PAGE)
    .map((section) => ({ ...section, blocks: section.blocks.filter(isSelected) }))
    .filter(({ blocks }) => blocks.length > 0);

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** The files that blocks read. */
const files: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['speech.wav', writeWav(1)],
  ['photo.png', Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64')],
];

/** Runs a block of the page as it is, but for the address of the gateway. */
async function runBlock(gateway: PageGateway, { text }: Block, runner: Runner): Promise<string> {
  const folder = createTemporaryFolder();
  try {
    for (const [name, bytes] of files) if (text.includes(name)) writeFileSync(join(folder.path, name), bytes);
    writeFileSync(join(folder.path, runner.file), gateway.address(text));
    for (const link of runner.links ?? []) symlinkSync(link, join(folder.path, link.slice(link.lastIndexOf('/') + 1)));
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_PROXY: '127.0.0.1', KOINE_KEY: KEY };
    const { code, output } = await run(runner.command, runner.words, folder.path, { ...env, ...runner.env });
    expect(code, output).to.equal(0);
    return output;
  } finally {
    folder.remove();
  }
}

/** Defines a test for each section: its blocks run, print the simulator's answers, and use the stated wires. */
export function testSections(sections: readonly Section[], prepare: () => Runner): void {
  let gateway: PageGateway;
  let runner: Runner;
  before(async () => {
    runner = prepare();
    gateway = await startPageGateway(PAGE);
  });
  after(() => gateway?.end());

  for (const { title, wires, blocks } of sections)
    it(`${title} is answered, plain and streamed, by the code of the page`, async () => {
      const used = new Set<unknown>();
      for (const block of blocks) {
        const output = await runBlock(gateway, block, runner);
        const [plain, streamed] = [countOf(block.text, 'Good morning'), countOf(block.text, 'Good evening')];
        expect(plain + streamed, 'requests in the block').to.be.above(0);
        expect(countOf(output, 'You said: Good morning.'), output).to.be.at.least(plain);
        expect(countOf(output, 'You said: Good evening.'), output).to.be.at.least(streamed);
        for (const { status, wire_in } of await gateway.exchanges(plain + streamed)) {
          expect(status).to.equal(200);
          used.add(wire_in);
        }
      }
      expect([...used].sort()).to.deep.equal([...wires].sort());
    });
}

/** Defines a test for each section: its blocks run, print what their last comments say, and use the stated wires. */
export function testOperations(sections: readonly Section[], prepare: () => Runner): void {
  let gateway: PageGateway;
  let runner: Runner;
  before(async () => {
    runner = prepare();
    gateway = await startPageGateway(PAGE);
  });
  after(() => gateway?.end());

  for (const { title, wires, blocks } of sections)
    it(`${title} is answered as the page says, by the code of the page`, async () => {
      for (const block of blocks) {
        const printed = /^console\.log\(.*\); \/\/ (.+)$/m.exec(block.text)?.[1];
        expect(printed, 'what the block prints').to.be.a('string');
        expect(await runBlock(gateway, block, runner)).to.include(printed);
        const exchanges = await gateway.exchanges(wires.length);
        expect(exchanges.map(({ status }) => status)).to.deep.equal(wires.map(() => 200));
        expect(exchanges.map(({ wire_in }) => wire_in).sort()).to.deep.equal([...wires].sort());
      }
    });
}
