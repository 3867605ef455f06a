import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { wires } from '../matrix/wires.ts';
import { finishWords } from '../matrix/words.ts';
import { moments, SILENCE_MS, type Heard } from './silence/heard.ts';

const main = fileURLToPath(new URL('./silence/main.ts', import.meta.url));
/** It takes more than a minute: beside all other tests, from the first of them on, and only where that is asked for. */
const isWanted = process.env['CI'] === 'true' || process.env['KOINE_SLOW'] === '1';
const LIMIT_MS = 180_000;

let child: ChildProcess | undefined;
let heard: Promise<readonly Heard[]>;
before(() => {
  if (!isWanted) return;
  const listening = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = listening;
  let out = '';
  listening.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  heard = new Promise((resolve, reject) => listening.once('close', (code) => (code === 0 ? resolve(JSON.parse(out) as Heard[]) : reject(new Error(`it ended with ${code}`)))));
  heard.catch(() => {});
});
after(() => child?.kill());

describe('an upstream that is silent for more than a minute', () => {
  it('is waited for by every SDK as it comes, before the content and in the middle of it (in CI, or with KOINE_SLOW=1)', async function () {
    if (!isWanted) this.skip();
    this.timeout(LIMIT_MS);
    const streams = await heard;
    expect(streams).to.have.length(wires.length * wires.length * moments.length);
    for (const { client, vendor, moment, said, signs, ms } of streams) {
      const name = `${client}>${vendor}, ${moment}`;
      expect(said, name).to.equal(`Good day.${finishWords[client].stop}`);
      // The first after 4 s before content, after 15 s in the middle; then one every 15 s.
      expect(signs, `${name}: signs of life`).to.be.at.least(3);
      expect(ms, name).to.be.at.least(SILENCE_MS);
    }
  });
});
