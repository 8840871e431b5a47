import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import Step from "@mui/material/Step";
import StepLabel from "@mui/material/StepLabel";
import Stepper from "@mui/material/Stepper";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useEffect, useReducer, useState } from "react";
import { Link as RouterLink, useNavigate } from "react-router";
import { getConfig } from "@/api";
import { useRetryCheckMutation } from "@/calls/process";
import { CheckView, useCheckLog } from "@/features/check";
import { defaultModelName, type ModelType } from "@/transfer/rules";
import Close from "@/ui/icons/Close";
import { toast } from "@/ui/toast";
import { viewerAhead } from "@/viewer";
import { CheckedModel } from "./CheckedModel";
import { FormatsDialog } from "./FormatsDialog";
import type { Place, UploadFlow } from "./flow";
import { useFlow } from "./hooks";
import { NameForm } from "./NameForm";
import { StepUpload } from "./StepUpload";
import { uploadTexts } from "./texts";
import { closingNotice, wizardReducer, wizardStart } from "./wizard";

const steps = ["上传文件", "模型体检", "命名完成"];

export const homeOf = (place: Place): string =>
  place === "publish" ? "/publishCenter/mySourceFiles" : "/workbench/myUpload";

/** Upload, check, name. Running work continues when the dialog is closed. */
export function UploadWizard({
  open,
  place = "workbench",
  resume,
  onClose,
}: {
  open: boolean;
  place?: Place;
  /** an upload already in progress */
  resume?: UploadFlow;
  onClose: () => void;
}) {
  const theme = useTheme();
  const full = useMediaQuery(theme.breakpoints.down("sm"));
  const navigate = useNavigate();
  const [state, dispatch] = useReducer(wizardReducer, wizardStart);
  const [flow, setFlow] = useState<UploadFlow>();
  const flowState = useFlow(flow);
  const fileId = flowState?.fileId;

  useEffect(() => {
    if (open && resume) {
      setFlow(resume);
      dispatch({ type: "tab", tab: resume.snapshot().modelType });
    }
  }, [open, resume]);

  useEffect(() => {
    if (!fileId || !flow) return;
    dispatch({ type: "checkStarted", fileId, fileName: flow.snapshot().upload.fileName });
  }, [fileId, flow]);

  const restart = () => {
    setFlow(undefined);
    dispatch({ type: "restart" });
  };
  const close = () => {
    if (closingNotice(state) === "background") toast.success(uploadTexts.background);
    else if (state.step === 1 && flow) toast.success(uploadTexts.uploadGoesOn);
    restart();
    onClose();
  };
  const leave = () => {
    restart();
    onClose();
    navigate(homeOf(place));
  };

  return (
    <Dialog
      open={open}
      onClose={(_, reason) => reason === "escapeKeyDown" && close()}
      aria-labelledby="upload-title"
      fullWidth
      maxWidth="sm"
      fullScreen={full}
    >
      <DialogTitle id="upload-title" sx={{ display: "flex", alignItems: "center" }}>
        上传模型
        <IconButton aria-label="关闭" onClick={close} sx={{ ml: "auto", mr: -1 }}>
          <Close fontSize="small" />
        </IconButton>
      </DialogTitle>
      <DialogContent>
        <Stepper activeStep={state.step - 1} sx={{ mb: 3 }}>
          {steps.map((label) => (
            <Step key={label}>
              <StepLabel>{label}</StepLabel>
            </Step>
          ))}
        </Stepper>
        {state.step === 1 && (
          <StepUpload
            tab={state.tab}
            place={place}
            flow={flow}
            onTab={(tab) => dispatch({ type: "tab", tab })}
            onFlow={setFlow}
          />
        )}
        {state.step === 2 && state.fileId && (
          <StepCheck
            fileId={state.fileId}
            fileSize={flowState?.upload.size ?? 0}
            modelType={state.tab}
            onPassed={() => dispatch({ type: "checkPassed" })}
            onNext={() => dispatch({ type: "name" })}
            onRestart={restart}
            onLeave={leave}
            place={place}
          />
        )}
        {state.step === 3 && state.fileId && (
          <NameForm
            fileId={state.fileId}
            modelType={state.tab}
            defaultName={defaultModelName(state.fileName)}
            release
            submitText="完成"
            onDone={leave}
            onCancel={close}
          />
        )}
      </DialogContent>
    </Dialog>
  );
}

function StepCheck({
  fileId,
  fileSize,
  modelType,
  place,
  onPassed,
  onNext,
  onRestart,
  onLeave,
}: {
  fileId: string;
  fileSize: number;
  modelType: ModelType;
  place: Place;
  onPassed: () => void;
  onNext: () => void;
  onRestart: () => void;
  onLeave: () => void;
}) {
  const { log, offline, restart } = useCheckLog(fileId);
  const [formats, setFormats] = useState(false);
  const [retry, retrying] = useRetryCheckMutation();
  const passed = log.phase === "complete";
  useEffect(() => {
    if (passed) onPassed();
  }, [passed, onPassed]);
  // It draws the model as soon as the check has passed.
  useEffect(viewerAhead, []);

  const again = async () => {
    try {
      await restart(() => retry({ fileId }).unwrap());
    } catch {
      // already reported by the shared wrapper
    }
  };
  const destination = place === "publish" ? uploadTexts.goToSourceFiles : uploadTexts.goToUploads;
  return (
    <>
      <CheckView
        log={log}
        offline={offline}
        fileSize={fileSize}
        modelType={modelType}
        lightweightPath={`/workbench/service?serviceName=lightweight&fileId=${encodeURIComponent(fileId)}`}
        onFormats={() => setFormats(true)}
        appealHref="/helpCenter?id=appeal"
        serviceHref={getConfig().qqConsultUrl || "/applicationCenter/aboutUs#contactUs"}
        picture={passed && <CheckedModel fileId={fileId} />}
        actions={
          passed ? (
            <>
              <Button
                variant="outlined"
                component={RouterLink}
                to={`/workbench/myUpload/sourceFile?fileId=${encodeURIComponent(fileId)}`}
              >
                查看模型与报告
              </Button>
              <Button variant="contained" onClick={onNext}>
                下一步：填写名称
              </Button>
            </>
          ) : log.phase === "error" ? (
            <>
              <Button color="inherit" onClick={onRestart}>
                重新上传
              </Button>
              <Button variant="contained" loading={retrying.isLoading} onClick={again}>
                重试
              </Button>
            </>
          ) : undefined
        }
      />
      <Box
        sx={(theme) => ({
          mt: 2,
          px: 1.5,
          py: 1,
          display: "flex",
          alignItems: "center",
          gap: 1,
          flexWrap: "wrap",
          borderRadius: 2,
          bgcolor: theme.tokens.ground,
          fontSize: 13,
          color: "text.secondary",
        })}
      >
        {log.phase === "complete" || log.phase === "error" ? "文件已保存" : "文件已保存，体检可在后台继续"}
        <Button size="small" sx={{ ml: "auto" }} onClick={onLeave}>
          {destination}
        </Button>
      </Box>
      <FormatsDialog open={formats} onClose={() => setFormats(false)} />
    </>
  );
}
