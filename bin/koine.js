#!/usr/bin/env node
import './check-node.js';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';

// Compiled code is kept from one start to the next. Beside the packages, where nobody can write who could not change
// them; where this process cannot either, nothing is kept.
const folder = dirname(module.findPackageJSON('.', import.meta.url));
const packages = basename(dirname(folder)) === 'node_modules' ? dirname(folder) : join(folder, 'node_modules');
module.enableCompileCache(join(packages, '.cache/koine-gateway'));
await import('./quick-resolve.js');
await import('../core/main.ts');
