//! What plugins can do to a run: hostile ones, each a real library; and what workers do on request.

mod fixture;
mod hostile;
mod robustness;
mod run;
mod sandbox;
mod worker;
