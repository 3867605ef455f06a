import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const module = new URL('../../../core/config/resolve/resolve-memory.ts', import.meta.url).href;
const MB = 1_048_576;

/** In a process with a heap of this size. */
const resolveWith = (heapMb: number, overload: object, bodyLimit = 20 * MB): number =>
  Number(
    execFileSync(
      process.execPath,
      [
        `--max-old-space-size=${heapMb}`,
        '--input-type=module',
        '--eval',
        `import { resolveMemory } from '${module}';
         console.log(resolveMemory(${JSON.stringify({ perKey: 0.8, ...overload })}, ${bodyLimit}));`,
      ],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)), encoding: 'utf8' },
    ),
  );

describe('the default of server.overload.memory', () => {
  it('is a third of the heap, so that a small heap is safe without a setting', () => {
    // V8 adds the young generation to the limit.
    expect(resolveWith(512, {})).to.be.within(170 * MB, 260 * MB);
    expect(resolveWith(256, {})).to.be.below(resolveWith(512, {}));
  });

  it('is at most 512 MB, unless one body needs more', () => {
    expect(resolveWith(4_096, {})).to.equal(512 * MB);
    expect(resolveWith(4_096, {}, 200 * MB)).to.equal(1_000 * MB);
  });

  it('gives way to the setting', () => expect(resolveWith(512, { memory: '1gb' })).to.equal(1_024 * MB));
});
