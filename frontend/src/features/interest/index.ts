export { InterestForm } from "./InterestForm";
export { interestText, purposeText } from "./options";
