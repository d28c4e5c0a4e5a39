import fc from 'fast-check';

// The same cases each time, so that a red run is the change's own doing; FC_SEED=… tries others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) });
