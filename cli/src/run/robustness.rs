//! What codecs make of damaged messages: counted in workers of their own, which time nothing.

use super::interrupt;
use super::lane::{Ending, Lane};
use super::session::Session;
use crate::protocol::{Attack, Damage, Outcomes, Request, Response};

/// How many damaged messages a codec is handed at most, and how many bytes of them.
const INPUTS: u64 = 10_000;
const BYTES: u64 = 32 << 20;

impl Session<'_> {
    /// Attacks every codec that is still in, trusted ones too: that they fall is what a reader wants
    /// to see. What goes wrong besides costs a codec its counts, and nothing else.
    pub(super) fn attack(&mut self) {
        for number in 0..self.lanes.len() {
            let lane = &self.lanes[number];
            if !lane.is_open() || !lane.is_codec() || lane.does_nothing || interrupt::asked() {
                continue;
            }
            let what = format!("damaged messages for {}", lane.row.codec);
            self.progress.phase(self.dataset_name(), &what);
            let attacked = self.attack_one(&self.lanes[number]);
            let lane = &mut self.lanes[number];
            match attacked {
                Ok(outcomes) => lane.row.robustness = Some(outcomes),
                Err(ending) => {
                    lane.remark(&format!(
                        "robustness could not be counted: {}",
                        ending.reason
                    ));
                }
            }
        }
    }

    fn attack_one(&self, lane: &Lane) -> Result<Outcomes, Ending> {
        let mut worker = self.fleet.forking_worker(lane.row.plugin)?;
        let request = Request::Attack {
            codec: lane.row.codec.clone(),
            dataset: self.dataset_file().clone(),
            attack: Attack {
                damages: Damage::ALL.to_vec(),
                modes: vec![self.plan.settings.mode],
                inputs: INPUTS,
                bytes: BYTES,
                hangs: Attack::HANGS,
            },
        };
        match worker.call(&request)? {
            Response::Attacked(attacked) => Ok(attacked.outcomes),
            Response::Failed(failure) => Err(failure.into()),
            other => Err(Ending::out_of_turn(&other)),
        }
    }
}
