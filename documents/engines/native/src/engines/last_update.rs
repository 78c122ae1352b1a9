//! Where an engine's event puts an update until it is taken. Loro's events may come from any thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Default)]
pub struct LastUpdate(Arc<Mutex<Vec<u8>>>);

impl LastUpdate {
    pub fn put(&self, update: &[u8]) {
        self.lock().extend_from_slice(update);
    }

    pub fn take(&self, into: &mut Vec<u8>) {
        into.append(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
