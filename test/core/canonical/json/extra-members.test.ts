import { expect } from 'chai';
import { writeRest, type Rest } from '../../../../core/index.ts';

describe('members without a canonical word', () => {
  const rest: Rest = {
    wire: 'responses',
    members: { truncation: 'auto', metadata: { a: 'b' } },
    honoured: ['metadata'],
  };
  const lost: string[] = [];
  const lose = (field: string, kind: string): void => void lost.push(`${field} ${kind}`);
  beforeEach(() => lost.splice(0));

  it('come back on their own wire', () => {
    expect(writeRest(rest, 'responses', lose)).to.equal(rest.members);
    expect(lost).to.deep.equal([]);
  });
  it('are dropped on another and named, but for those that the gateway honours itself', () => {
    expect(writeRest(rest, 'messages', lose, 'x.')).to.deep.equal({});
    expect(lost).to.deep.equal(['x.truncation dropped']);
    expect(writeRest(undefined, 'messages', lose)).to.deep.equal({});
  });
});
