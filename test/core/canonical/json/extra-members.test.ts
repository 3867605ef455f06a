import { expect } from 'chai';
import { writeExtraMembers, type ExtraMembers } from '../../../../core/api/codec.ts';

describe('writeExtraMembers', () => {
  const extra: ExtraMembers = {
    wire: 'responses',
    members: { truncation: 'auto', metadata: { a: 'b' } },
    honoured: ['metadata'],
  };
  const lost: string[] = [];
  const lose = (field: string, kind: string): void => void lost.push(`${field} ${kind}`);
  beforeEach(() => lost.splice(0));

  it('writes extra members back on their own wire', () => {
    expect(writeExtraMembers(extra, 'responses', lose)).to.equal(extra.members);
    expect(lost).to.deep.equal([]);
  });
  it('reports extra members as dropped on another wire, except those that the gateway handles itself', () => {
    expect(writeExtraMembers(extra, 'messages', lose, 'x.')).to.deep.equal({});
    expect(lost).to.deep.equal(['x.truncation dropped']);
    expect(writeExtraMembers(undefined, 'messages', lose)).to.deep.equal({});
  });
});
