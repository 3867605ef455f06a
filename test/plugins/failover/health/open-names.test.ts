import { expect } from 'chai';
import { settingsOf } from '../setup.ts';
import { HealthRegistry } from '../../../../plugins/failover/health/health-registry.ts';

const target = (name: string, isOpen = true) => ({
  id: `hub/${name}`,
  provider: 'hub',
  model: name,
  ...(isOpen ? { label: { id: 'other', model: 'other' } } : {}),
});

describe('the health of models that clients name', () => {
  it('is kept while a name is in use, and always for the models of the configuration', () => {
    const registry = new HealthRegistry(settingsOf().circuit, Math.random);
    const fixed = registry.health(target('fixed', false), 'key-1');
    const kept = target('kept');
    const used = registry.health(kept, 'key-1');
    const forgotten = registry.health(target('forgotten'), 'key-1');
    expect(registry.health(target('forgotten'), 'key-1')).to.equal(forgotten);
    for (let name = 0; name < 6_000; name += 1) {
      registry.health(target(`invented-${name}`), 'key-1');
      registry.latency(target(`invented-${name}`), 'streamed');
    }
    expect(registry.health(target('fixed', false), 'key-1')).to.equal(fixed);
    expect(registry.health(kept, 'key-1')).to.equal(used);
    expect(registry.health(target('forgotten'), 'key-1')).to.not.equal(forgotten);
    expect(forgotten.model.healthKey).to.deep.include({ model: 'forgotten', label: 'other' });
  });
});
