//! Unit tests of `attempt`.

use chassis::db::states::StateMachine;
use xl_payment::internals::State;

#[test]
fn what_has_an_outcome_keeps_it() {
    for state in State::ALL.iter().copied() {
        assert_eq!(State::of(state.name()), Some(state));
        for next in State::ALL.iter().copied() {
            assert!(state != next || !state.may_become(next));
            let ends = State::OPEN.contains(&state) || state == State::Conflicted;
            assert!(ends || !state.may_become(next));
        }
    }
    assert!(State::Unknown.may_become(State::Submitted));
    assert!(!State::Created.may_become(State::Unknown));
    assert!(!State::Conflicted.may_become(State::Failed));
}
