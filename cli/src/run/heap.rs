//! What operations take from the heap: counted in workers of their own, which time nothing.

use std::collections::BTreeMap;

use super::lane::{Ending, Lane};
use super::session::Session;
use crate::process::Worker;
use crate::protocol::{HeapUse, Op, Request, Response};

/// What is counted; the joint operations are their sums.
const COUNTED: [Op; 3] = [Op::Serialize, Op::Deserialize, Op::Read];

impl Session<'_> {
    /// Counts for every codec that is still in. What goes wrong here costs a codec its counts, and
    /// nothing else.
    pub(super) fn count_heap(&mut self) {
        for number in 0..self.lanes.len() {
            let lane = &self.lanes[number];
            if !lane.is_open() || !lane.is_codec() {
                continue;
            }
            let what = format!("counting allocations of {}", lane.row.codec);
            self.progress.phase(self.dataset_name(), &what);
            let counted = self.count_heap_of(&self.lanes[number]);
            let lane = &mut self.lanes[number];
            match counted {
                Ok(heap) => lane.row.heap = heap,
                Err(ending) => {
                    lane.remark(&format!(
                        "allocations could not be counted: {}",
                        ending.reason
                    ));
                }
            }
        }
    }

    fn count_heap_of(&self, lane: &Lane) -> Result<BTreeMap<Op, HeapUse>, Ending> {
        let mut worker = self.fleet.counting_worker(lane.row.plugin)?;
        let slot = lane.slot;
        answer(&mut worker, &self.request_to_open(lane))?;
        answer(&mut worker, &Request::Verify { slot, spool: None })?;
        let count = |op| match answer(&mut worker, &Request::CountHeap { slot, op })? {
            Response::HeapCounted(heap) => Ok((op, heap)),
            other => Err(Ending::out_of_turn(&other)),
        };
        COUNTED.into_iter().map(count).collect()
    }
}

fn answer(worker: &mut Worker, request: &Request) -> Result<Response, Ending> {
    match worker.call(request)? {
        Response::Failed(failure) => Err(failure.into()),
        response => Ok(response),
    }
}
