import { expect } from 'chai';
import { createKeepalive, type Keepalive } from '../../../core/exchange/keepalive.ts';
import type { Output } from '../../../core/index.ts';

const EVERY = 60;
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('life signs', () => {
  let keepalive: Keepalive | undefined;
  const start = (output: Output): Keepalive => {
    keepalive = createKeepalive(output, ':\n\n', EVERY);
    return keepalive;
  };
  afterEach(() => keepalive?.stop());

  it('are written as long as nothing else is', async () => {
    const written: unknown[] = [];
    start({ write: (bytes) => void written.push(bytes) });
    await wait(EVERY * 5);
    expect(written.length).to.be.within(2, 5);
    expect(new Set(written)).to.deep.equal(new Set([':\n\n']));
  });

  it('are not written while an answer comes in time', async () => {
    const written: unknown[] = [];
    const { write } = start({ write: (bytes) => void written.push(bytes) });
    for (let index = 0; index < 20; index += 1) {
      expect(write(`frame ${index}`)).to.equal(undefined);
      await wait(10);
    }
    expect(written).to.deep.equal(Array.from({ length: 20 }, (_, index) => `frame ${index}`));
  });

  it('are not written behind an answer that still waits for the client, and are again once it has read', async () => {
    const written: unknown[] = [];
    let drain = (): void => {};
    const { write } = start({
      write: (bytes) => {
        written.push(bytes);
        return bytes === 'frame' ? new Promise((resolve) => { drain = resolve; }) : undefined;
      },
    });
    const pending = write('frame');
    await wait(EVERY * 3);
    expect(written).to.deep.equal(['frame']);
    drain();
    await pending;
    await wait(EVERY * 3);
    expect(written.slice(0, 2)).to.deep.equal(['frame', ':\n\n']);
  });

  it('end when the answer has', async () => {
    const written: unknown[] = [];
    start({ write: (bytes) => void written.push(bytes) }).stop();
    await wait(EVERY * 3);
    expect(written).to.deep.equal([]);
  });
});
