import { expect } from 'chai';
import { createLoadMemory, HostLoad, UPLOADS } from '../../../../core/services/shared-memory/host-load.ts';

describe('what threads hold together', () => {
  it('is summed over threads, and forgotten of one that has ended', () => {
    const memory = createLoadMemory(3);
    const [first, second, third] = [0, 1, 2].map((thread) => new HostLoad(memory, thread));
    first!.add(UPLOADS, 2);
    third!.add(UPLOADS, 3);
    expect([first!.own(UPLOADS), second!.own(UPLOADS), second!.sum(UPLOADS)]).to.deep.equal([2, 0, 5]);
    first!.clear();
    expect([first!.sum(UPLOADS), third!.own(UPLOADS)]).to.deep.equal([3, 3]);
  });

  it('has the same place for a name in every thread, and never that of another kind', () => {
    const memory = createLoadMemory(2);
    const [one, other] = [new HostLoad(memory, 0), new HostLoad(memory, 1)];
    const names = Array.from({ length: 3_000 }, (_, index) => `acme/web/key-${index}`);
    for (const name of names) {
      expect(one.placeOf('requests', name)).to.equal(other.placeOf('requests', name));
      one.add(one.placeOf('upload bytes', name), 1_000_000);
    }
    expect(names.filter((name) => one.sum(one.placeOf('requests', name)) > 0)).to.deep.equal([]);
    expect(names.every((name) => other.sum(other.placeOf('upload bytes', name)) >= 1_000_000)).to.equal(true);
  });
});
