import type { JsonObject } from '../../core/api/index.ts';
import { readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { textOf } from '../shared/read.ts';
import { selecting, type Catalog } from './catalog.ts';
import type { Limits } from './limits.ts';

interface ModelLimits {
  /** Limits of all traffic. */
  shared(to: ConfigPath): readonly JsonObject[];
  /** Limits of one virtual key. */
  ofKey(id: string | undefined, to: ConfigPath): readonly JsonObject[];
}

/** Reads `governance.model_configs`: limits for some models. */
export function readModelLimits(source: JsonObject, catalog: Catalog, limits: Limits): ModelLimits {
  const configs = readList(readObject(source['governance'])['model_configs']).map((written, index) => ({
    config: readObject(written),
    at: ['governance', 'model_configs', index] as ConfigPath,
  }));
  const modelsOf = (config: JsonObject): readonly string[] | undefined => {
    const [name, provider] = [textOf(config['model_name']) ?? '*', textOf(config['provider'])];
    if (name === '*') return provider === undefined ? undefined : selecting(catalog, [`${provider}/*`]);
    if (provider !== undefined) return selecting(catalog, [`${provider}/${name}`]);
    return [...catalog.keys()].filter((id) => id.slice(id.indexOf('/') + 1) === name);
  };
  const read = (isSelected: (config: JsonObject) => boolean, to: ConfigPath): readonly JsonObject[] =>
    configs.flatMap(({ config, at }) => {
      const models = isSelected(config) ? modelsOf(config) : [];
      return models?.length === 0
        ? []
        : limits.of(config, 'model_config_id', { at, to, ...(models === undefined ? {} : { models }) });
    });
  return {
    shared: (to) => read((config) => textOf(config['scope']) !== 'virtual_key', to),
    ofKey: (id, to) =>
      id === undefined ? [] : read((config) => config['scope'] === 'virtual_key' && config['scope_id'] === id, to),
  };
}
