#!/usr/bin/env node
import './check-node.js';

await import('./quick-start.js');
await import('../core/main.ts');
